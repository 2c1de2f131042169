/** Development: Vite's page with hot reload in this process, and beside it the server, restarted when its files change. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'vite';

if (existsSync('.env')) process.loadEnvFile();
const server = spawn(process.execPath, ['--watch', '--import', 'tsx', 'server/main.ts'], { stdio: 'inherit' });
const page = await createServer();
await page.listen();
page.printUrls();

// Vite ends this process on SIGTERM by itself.
process.on('SIGINT', () => process.exit());
process.on('exit', () => server.kill());
