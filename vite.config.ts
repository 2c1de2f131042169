import react from '@vitejs/plugin-react';
import { compression } from 'vite-plugin-compression2';
import { defineConfig, type Rolldown } from 'vite';
import { localUrl } from './server/http/networks.ts';
import { installed } from './scripts/packed.mjs';

// As in server/config/config.ts; an empty variable counts as absent.
const consoleServer = localUrl(process.env['HOST'] || '127.0.0.1', process.env['PORT'] || '3000');

/** One chunk for the libraries of every page, one for shell and home, one for the steps; the rest by route (routes.ts). */
const chunks: Rolldown.OutputOptions = {
  codeSplitting: {
    groups: [
      { name: 'vendor', tags: ['$initial'], test: /\/node_modules\//, priority: 3 },
      { name: 'home', tags: ['$initial'], priority: 2 },
      {
        name: 'steps',
        test: /\/src\/(?!app\/(charts|home|tools(?!\/lab\/ListState)|frame\/palette)\/|app\/frame\/translatedTexts|app\/effects\/(description|examples|drift|session|situation)\.|rules\/(regex\/|description|sentExample|driftFault|harSession|bankingDays|batchNotes)|machines\/(operationSteps|lab\/examples|payment\/notes)|runner\/|steps\/payment\/PaymentNotes|app\/journey\/inspector\/(CodeTab|code\.|code\/(?!request|languages))|.+\/palette\b)/,
        priority: 1,
      },
    ],
  },
};

/**
 * Three builds: the page into dist/page, with --ssr the server with its packages into dist/server, and with
 * --ssr --mode prerender what scripts/prerender.mjs renders the home page with.
 */
export default defineConfig(({ command, isSsrBuild, mode }) => {
  const isPrerender = mode === 'prerender';
  // A build started by a test run would otherwise take React's development version into the page.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    // A build prints nothing but errors: `npm start` has one line for it.
    ...(command === 'build' && { logLevel: 'error' }),
    plugins: [
      react(),
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
        '/openapi.json': consoleServer,
        '^/program/': consoleServer,
        '/healthz': consoleServer,
        '/readyz': consoleServer,
      },
    },
    // The server starts in half the time from a few files, and what is packed needs few packages.
    ...(isSsrBuild && !isPrerender && { ssr: { noExternal: true as const, external: installed } }),
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
                  createSandbox: 'server/sandbox/createSandbox.ts',
                  envFile: 'server/config/envFile.ts',
                  backup: 'server/ops/backupCommand.ts',
                  copyStore: 'server/ops/copyStoreCommand.ts',
                  changeKey: 'server/ops/rotateKeyCommand.ts',
                  users: 'server/ops/usersCommand.ts',
                  journey: 'src/command/main.ts',
                  mcp: 'src/command/mcp/main.ts',
                  verify: 'server/verify/main.ts',
                  openapi: 'server/description/printCommand.ts',
                  drift: 'server/drift/driftCommand.ts',
                  situation: 'server/situations/situationCommand.ts',
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
