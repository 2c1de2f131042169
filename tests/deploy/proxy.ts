import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { freePort } from '#tests/support/consoleProcess.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { addressOf } from './compose.ts';

/** Whether this machine has what the proxy is tried with. */
export const isInstalled = ['nginx', 'openssl'].every((name) => !spawnSync(name, ['-v'], { stdio: 'ignore' }).error);

/** Runs nginx.conf with the certificate of README.md, in front of these addresses by service. Resolves to its port. */
export async function proxy(
  containers: Readonly<Record<string, string>>,
): Promise<{ port: number; certificate: string; file: string }> {
  const folder = temporaryFolder();
  const port = await freePort();
  mkdirSync(join(folder, 'tls'));
  const [made] = /^openssl req .*$/m.exec(readFileSync('deploy/README.md', 'utf8'))!; // the note says how
  await promisify(execFile)('sh', ['-c', made], { cwd: folder });
  let conf = readFileSync('deploy/nginx.conf', 'utf8')
    .replace('user nginx;', '')
    .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('/tmp/', `${folder}/`)
    // A socket, which Node has for a child's output, cannot be opened by its name.
    .replace('/dev/stdout', join(folder, 'access.log'));
  for (const [name, address] of Object.entries(containers))
    conf = conf.replaceAll(new RegExp(`${addressOf(name)?.replaceAll('.', '\\.')}:\\d+`, 'g'), address);
  const file = join(folder, 'console.conf');
  writeFileSync(file, conf);
  execFileSync('nginx', ['-t', '-q', '-p', folder, '-c', file], { stdio: 'pipe' });
  const child = spawn('nginx', ['-p', folder, '-c', file, '-g', 'daemon off;'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGTERM'));
  const crt = join(folder, 'tls/server.crt');
  return { port, certificate: readFileSync(crt, 'utf8'), file: crt };
}

type Reached = Awaited<ReturnType<typeof proxy>>;

/** Sends a request as a browser does that trusts the certificate; rejects if the name is not the certificate's. */
export async function ask({ port, certificate }: Reached, host: string, method = 'GET', headers = {}, path = '/') {
  const sent = request({
    host: '127.0.0.1',
    port,
    servername: host,
    ca: certificate,
    method,
    path,
    agent: false,
    headers: { host, ...headers },
  }).end(method === 'POST' ? '{}' : '');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]; // node's argument
  return answer;
}
