/** Development: Vite's page with hot reload in this process, and beside it the server, restarted when its files change. */
import { readyForDevelopment } from './ready.mjs';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

readyForDevelopment();
if (existsSync('.env')) process.loadEnvFile();
if (process.env.PORT === '0') {
  process.stderr.write('PORT is 0: in development the page has to know the port, give a number.\n');
  process.exit(1);
}
const server = spawn(process.execPath, ['--watch', '--import', 'tsx', 'server/main.ts'], { stdio: 'inherit' });
const { createServer } = await import('vite');
const page = await createServer();
await page.listen();
page.printUrls();

// Vite ends this process on SIGTERM by itself.
process.on('SIGINT', () => process.exit());
process.on('exit', () => server.kill());
