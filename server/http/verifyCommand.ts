import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { version } from '#server/version.ts';

/** A path or an argument as one word of a shell. */
export function shellWord(path: string): string {
  if (/^[\w./:\\@%+=-]+$/.test(path)) return path;
  return path.includes('\\') ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}

/**
 * The command that verifies a program. For users at the console's own machine it names the script of this console in
 * `root`, and works in any folder; where the console's data are not in the usual folder, it names theirs. For others, and where the script was not installed, it names the package.
 */
export function verifyCommand(root: string, isOwnMachine: boolean, dataFolder = ''): string {
  const script = verifyScript(root, isOwnMachine);
  if (script === '') return `npx ./payments-out-console-${version}.tgz verify -- node your-app.mjs`;
  const isUsual = dataFolder === '' || resolve(dataFolder) === join(root, '.data');
  return `node ${shellWord(script)}${isUsual ? '' : ` --data ${shellWord(resolve(dataFolder))}`} -- node your-app.mjs`;
}

/** The script of the command in this console's folder; '' for users of other machines, and where it was not installed. */
export function verifyScript(root: string, isOwnMachine: boolean): string {
  const script = join(root, 'scripts', 'verify.mjs');
  return isOwnMachine && existsSync(script) ? script : '';
}
