/** Builds the page, the server and what renders the home page (vite.config.ts), then renders it. Prints only errors. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'vite';
import { endWithParent } from './processes.mjs';

// A build without the process that waits for it is of no use.
endWithParent();

await Promise.all([build(), build({ build: { ssr: true } }), build({ build: { ssr: true }, mode: 'prerender' })]);
await import('./prerender.mjs');
await import('./components.mjs');

// Both files hold types only, so that they are declarations as they are.
mkdirSync('dist/types', { recursive: true });
const declared = (name) =>
  readFileSync(`server/sandbox/${name}.ts`, 'utf8').replaceAll("./recorded.ts'", "./recorded.js'");
writeFileSync('dist/types/recorded.d.ts', declared('recorded'));
const exported = "export type * from './recorded.js';\nexport declare const createSandbox: CreateSandbox;\n";
writeFileSync('dist/types/sandbox.d.ts', declared('api') + exported);
