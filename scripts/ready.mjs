/**
 * What the other commands need first: packages and a build, made only if what is there does not match the sources.
 * Plain JavaScript: it runs before anything is installed.
 */
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const run = (command, cwd = '.') => execSync(command, { stdio: 'inherit', cwd });
const packagesOf = (file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages);

/**
 * Whether the packages of a folder are installed. Compares contents, not times: a fresh checkout gives the lock file a new
 * time, but nothing has to be installed.
 */
function isInstalled(folder) {
  const receipt = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(receipt)) return false;
  const installed = new Map(packagesOf(receipt));
  return packagesOf(join(folder, 'package-lock.json')).every(
    ([path, { version, optional }]) =>
      path === '' || (installed.get(path)?.version ?? (optional && version)) === version,
  );
}

/** What a build depends on besides the sources. */
const configuration = [
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'scripts/chunks.mjs',
  'scripts/prerender.mjs',
];

const timeOf = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

function isBuilt() {
  const sources = ['src', 'server', 'public']
    .filter(existsSync)
    .flatMap((room) => readdirSync(room, { recursive: true }).map((file) => join(room, file)));
  const newest = Math.max(...[...configuration, ...sources].map(timeOf));
  return Math.min(timeOf('dist/page/index.html'), timeOf('dist/server/main.js')) >= newest;
}

export function ready() {
  if (!isInstalled('.')) run('npm ci');
  if (!isBuilt()) run('npm run build');
}

/** Installs the packages of the project and those of `tools/`, which only the commands that are there need. */
export function readyTools() {
  if (!isInstalled('.')) run('npm ci');
  if (isInstalled('tools')) return;
  console.log('Installing the packages of tools/, which this command needs ...');
  run('npm ci', 'tools');
}
