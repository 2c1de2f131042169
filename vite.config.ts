import react from '@vitejs/plugin-react';
import { compression } from 'vite-plugin-compression2';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { localUrl } from './server/http/address.ts';

// As in server/config/config.ts; an empty variable counts as absent.
const consoleServer = localUrl(process.env['HOST'] || '127.0.0.1', process.env['PORT'] || '3000');

/** What libraries bring along that the page never runs, by the importer's and the module's path; and what stands in its place. */
const stubs = [
  [/axios\/lib\/adapters/, /\.\/fetch\.js$/, 'export const getFetch = () => null;'], // browsers use XMLHttpRequest
  [/@emotion\/react\/dist/, /_isolated-hnrs/, 'export default (component) => component;'], // for class components
] as const;
const unused: Plugin = {
  name: 'unused',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const index = stubs.findIndex(([from, module]) => from.test(importer) && module.test(source));
    return index < 0 ? null : `\0unused-${index}`;
  },
  load: (id) => (id.startsWith('\0unused-') ? stubs[Number(id.slice('\0unused-'.length))]?.[2] : null),
};

/** The parser of patterns brings tables of the characters in names, half of its weight; every browser has them. */
const tables = [
  [/(NonAsciiIdentifierStart = )\/\[.+\]\/;/, String.raw`$1/\p{ID_Start}/u;`],
  [/(NonAsciiIdentifierPartOnly = )\/\[.+\]\/;/, String.raw`$1/[\p{ID_Continue}\u200C\u200D]/u;`],
] as const;
const withoutTables: Plugin = {
  name: 'without-tables',
  transform(code, id) {
    if (!id.endsWith('/regjsparser/parser.js')) return null;
    const missing = tables.find(([table]) => !table.test(code));
    if (missing) throw new Error(`regjsparser has no ${missing[0].source}`);
    return { code: tables.reduce((text, [table, by]) => text.replace(table, by), code), map: null };
  },
};

/** Instead of one chunk for each set of lazy chunks that share modules, which makes dozens of requests for a page. */
const chunks: Rolldown.OutputOptions = {
  codeSplitting: {
    groups: [
      { name: 'first', tags: ['$initial'] },
      // What every page runs beside that: the console's machine and the client of its calls; with them the guided path.
      { name: 'every', test: /\/src\/app\/(run|http|Guided)\.tsx?$/ },
      { name: 'shared', minShareCount: 16 }, // by most journeys
    ],
  },
};

/**
 * Three builds: the page into dist/page, with --ssr the server with its own code bundled into dist/server, and with
 * --ssr --mode prerender what scripts/prerender.mjs renders the home page with.
 */
export default defineConfig(({ command, isSsrBuild, mode }) => {
  const isPrerender = mode === 'prerender';
  // A build started by a test run would otherwise take React's development version into the page.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    plugins: [
      react(),
      unused,
      withoutTables,
      // The server sends these in place of the files beside which they lie.
      ...(isSsrBuild ? [] : [compression({ algorithms: ['brotliCompress', 'gzip'], include: /\.(js|css|svg)$/ })]),
    ],
    // The server puts a fresh nonce in this placeholder for every request of the page.
    html: { cspNonce: '__CSP_NONCE__' },
    // '/api' covers '/api-msg-v1' too: keys are prefixes.
    server: {
      host: '127.0.0.1',
      proxy: {
        '/api': consoleServer,
        '^/program/': consoleServer,
        '/healthz': consoleServer,
        '/readyz': consoleServer,
      },
    },
    // The server uses a part of each; as files of their own they take a fifth of the start, and 7 MB.
    ssr: { noExternal: ['jose', 'keyv', 'lru-cache', 'oauth4webapi', 'openid-client', 'uuid', 'zod', 'zod-openapi'] },
    build: isSsrBuild
      ? {
          outDir: isPrerender ? 'dist/prerender' : 'dist/server',
          copyPublicDir: false,
          rolldownOptions: {
            input: isPrerender
              ? { prerender: 'src/app/prerender.tsx' }
              : {
                  main: 'server/main.ts',
                  sandbox: 'server/sandboxMain.ts',
                  backup: 'server/ops/backupCommand.ts',
                  copyStore: 'server/ops/copyStoreCommand.ts',
                  changeKey: 'server/ops/rotateKeyCommand.ts',
                  journey: 'src/command/main.ts',
                },
          },
        }
      : {
          outDir: 'dist/page',
          manifest: true,
          rolldownOptions: { output: chunks },
        },
  };
});
