/** Development: Vite's page with hot reload in this process, and beside it the server, restarted when its files change. */
import { startGroup } from './processes.mjs';
import { readyForDevelopment } from './ready.mjs';

await readyForDevelopment();
const { tsImport } = await import('tsx/esm/api');
const { loadEnvFileOrExit } = await tsImport('../server/config/envFile.ts', import.meta.url);
loadEnvFileOrExit();
if (process.env.PORT === '0') {
  process.stderr.write('PORT is 0: in development the page has to know the port, give a number.\n');
  process.exit(1);
}
startGroup(process.execPath, ['--watch', '--import', 'tsx', 'server/main.ts'], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
const { createServer } = await import('vite');
const page = await createServer();
await page.listen();
page.printUrls();

// Vite ends this process on SIGTERM by itself.
process.on('SIGINT', () => process.exit());
