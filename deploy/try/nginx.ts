import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand, startProgram, type Program } from './programs.ts';

const source = fileURLToPath(new URL('../nginx.conf', import.meta.url));
const isInstalled = (program: string) => !spawnSync(program, ['-v'], { stdio: 'ignore' }).error;

/** Whether nginx is installed, or can be taken from Debian's packages. */
export const hasNginx = (): boolean => isInstalled('nginx') || ['apt-get', 'dpkg-deb'].every(isInstalled);

/** Returns the nginx of this machine; if there is none, unpacks Debian's package into the folder, without installing it. */
function nginxIn(folder: string, say: (line: string) => void): string {
  if (isInstalled('nginx')) return 'nginx';
  if (!hasNginx()) throw new Error('nginx is not installed, and there is no apt-get to fetch it: install nginx');
  say(`nginx is not installed: Debian's package is unpacked into ${folder}, nothing is installed`);
  mkdirSync(folder);
  runCommand('apt-get', ['download', '--quiet', 'nginx'], folder);
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  runCommand('dpkg-deb', ['--extract', file, folder], folder);
  return join(folder, 'usr/sbin/nginx');
}

/** A server of nginx.conf: the name by which it is known there, the port that it gets here. */
interface Served {
  name: string;
  port: number;
}

/** Returns nginx.conf with a port for each server in place of a name, as names below localhost are not known everywhere. */
function configured(served: readonly Served[], addresses: Readonly<Record<string, string>>, folder: string): string {
  let text = readFileSync(source, 'utf8').replace('user nginx;', '').replaceAll('/tmp/', `${folder}/`);
  // A socket, which Node may have for a child's output, cannot be opened by its name.
  text = text.replace('/dev/stdout', `${folder}/access.log`);
  // Whoever calls a server by another name is refused there, as on the shared port.
  const refusal = served.map(({ port }) => `listen 127.0.0.1:${port} ssl default_server;`).join('\n    ');
  const replace = (from: string, to: string) => {
    if (!text.includes(from)) throw new Error(`nginx.conf has no ${JSON.stringify(from)} any more`);
    text = text.replaceAll(from, to);
  };
  replace('listen 443 ssl default_server;', refusal);
  for (const { name, port } of served)
    replace(`listen 443 ssl;\n    server_name ${name};`, `listen 127.0.0.1:${port} ssl;\n    server_name localhost;`);
  for (const [from, to] of Object.entries(addresses)) replace(from, to);
  return text;
}

/** Starts nginx with the configuration of this folder. `addresses`: those of this machine by those of the containers. */
export function startNginx(options: {
  folder: string;
  served: readonly Served[];
  addresses: Readonly<Record<string, string>>;
  certificate: { certificate: string; key: string };
  say: (line: string) => void;
}): Program {
  const { folder, served, addresses, certificate, say } = options;
  const program = nginxIn(join(folder, 'nginx'), say);
  const file = join(folder, 'console.conf');
  const text = configured(served, addresses, folder)
    .replace('tls/server.crt', certificate.certificate)
    .replace('tls/server.key', certificate.key);
  writeFileSync(file, text);
  const args = ['-p', dirname(file), '-c', file, '-e', 'stderr'];
  execFileSync(program, [...args, '-t', '-q'], { stdio: 'pipe' });
  return startProgram([program, ...args, '-g', 'daemon off;'], {
    env: {},
    cwd: folder,
    log: join(folder, 'nginx.log'),
  });
}
