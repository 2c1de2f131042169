/** Development: Vite's page with hot reload in this process, and beside it the server, restarted when its files change. */
import { spawn } from 'node:child_process';
import { createServer } from 'vite';

const server = spawn(process.execPath, ['--watch', '--import', 'tsx', 'server/main.ts'], { stdio: 'inherit' });
const page = await createServer();
await page.listen();
page.printUrls();

const stop = async () => {
  server.kill();
  await page.close();
  process.exit(0);
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
