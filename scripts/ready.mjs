/**
 * What the other commands need first: packages and a build, made only if what is there does not match the sources.
 * Plain JavaScript: it runs before anything is installed.
 */
import './node.mjs';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endWithNpm, runToEnd } from './processes.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Whether this is the package that `npm run package` makes: it is built, and npm has installed it with what it needs. */
export const isPacked = !existsSync(join(root, 'package-lock.json'));

/**
 * Runs a command and prints one line: what it does, and how long that took. The command's own output appears only if it
 * fails, which ends the process. Prints to stderr, because stdout is for the results.
 */
async function phase(name, [command, ...args], options) {
  const begin = performance.now();
  process.stderr.write(`${name} … `);
  const { status, output } = await runToEnd(command, args, options);
  if (status !== 0) {
    process.stderr.write(`failed\n${output}`);
    process.exit(1);
  }
  process.stderr.write(`${Math.ceil((performance.now() - begin) / 1000)} s\n`);
}

const packagesOf = (file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages);
const receiptOf = (folder) => join(folder, 'node_modules/.package-lock.json');

/**
 * Whether the packages of a folder are installed, those for development only if `development` is set. Compares contents,
 * not times: a fresh checkout gives the lock file a new time, but nothing has to be installed.
 */
function isInstalled(folder, development) {
  const receipt = receiptOf(folder);
  if (!existsSync(receipt)) return false;
  const installed = new Map(packagesOf(receipt));
  return packagesOf(join(folder, 'package-lock.json'))
    .filter(([path, { dev, devOptional }]) => path !== '' && (development || !(dev || devOptional)))
    .every(([path, { version, optional }]) => (installed.get(path)?.version ?? (optional && version)) === version);
}

/** Adds the packages that a folder lacks. Removes none of those for development, unless a changed lock file does. */
async function install(name, folder, development) {
  if (isInstalled(folder, development)) return;
  const receipt = receiptOf(folder);
  const isNew = !existsSync(receipt);
  const all = development || (!isNew && packagesOf(receipt).some(([, { dev }]) => dev));
  // `npm ci` would remove everything first.
  const command = isNew ? 'npm ci' : 'npm install --no-save';
  const line = `${command} --${all ? 'include' : 'omit'}=dev --no-audit --no-fund --loglevel=error`;
  await phase(name, [line], { cwd: folder, shell: true }); // on Windows, npm is a program of the shell
}

/** What a build depends on besides the sources. */
const configuration = [
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/charts/layouts.json',
  'scripts/chunks.mjs',
  'scripts/components.mjs',
  'scripts/packed.mjs',
  'scripts/prerender.mjs',
];

const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The latest time in a folder, its own included, which changes when a file is removed. */
const newestIn = (folder) =>
  Math.max(
    timeOf(folder),
    ...readdirSync(folder, { withFileTypes: true }).map((each) =>
      each.isDirectory() ? newestIn(join(folder, each.name)) : timeOf(join(folder, each.name)),
    ),
  );

function isBuilt() {
  const rooms = ['src', 'server', 'public'].map((room) => newestIn(join(root, room)));
  const newest = Math.max(...rooms, ...configuration.map((file) => timeOf(join(root, file))));
  // Each is the last file that its part of the build writes.
  return ['dist/page/.vite/routes.json', 'dist/server/main.js'].every((file) => timeOf(join(root, file)) >= newest);
}

/** Installs what runs and builds, and builds. */
export async function ready() {
  endWithNpm();
  if (isPacked) return;
  await install('Installing packages', root, false);
  if (!isBuilt()) await phase('Building', [process.execPath, 'scripts/build.mjs'], { cwd: root });
}

/** Installs what tests and checks need as well; builds nothing. */
export async function readyForDevelopment() {
  endWithNpm();
  await install('Installing packages for development', root, true);
}

/** Installs the packages of `tools/` as well, which only the commands that are there need; builds nothing. */
export async function readyTools() {
  await readyForDevelopment();
  await install('Installing the packages of tools/', join(root, 'tools'), true);
}

/** Runs the file of TypeScript that this process was given, with the arguments after it, in this process; none if there is none. */
export async function runTypeScript() {
  const [file, ...args] = process.argv.slice(2);
  if (file === undefined) return;
  const { register } = await import('tsx/esm/api'); // installed by now
  register();
  process.argv = [process.argv[0], resolve(file), ...args];
  await import(pathToFileURL(resolve(file)).href);
}
