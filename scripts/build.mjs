/** Builds the page, the server and what renders the home page (vite.config.ts), then renders it. Prints only errors. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'vite';
import { endWithParent } from './processes.mjs';
import { packedManifest } from './packed.mjs';
import { sandboxTypes } from './sandboxTypes.mjs';

// A build without the process that waits for it is of no use.
endWithParent();

await Promise.all([build(), build({ build: { ssr: true } }), build({ build: { ssr: true }, mode: 'prerender' })]);
await import('./prerender.mjs');
await import('./components.mjs');

writeFileSync('dist/packedManifest.json', `${JSON.stringify(packedManifest(), undefined, 2)}\n`);
mkdirSync('dist/types', { recursive: true });
for (const [name, text] of Object.entries(await sandboxTypes())) writeFileSync(`dist/types/${name}`, text);
