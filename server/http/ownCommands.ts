import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { version } from '#server/version.ts';

/** A path or an argument as one word of a shell. */
export function shellWord(path: string): string {
  if (/^[\w./:\\@%+=-]+$/.test(path)) return path;
  return path.includes('\\') ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** The names of the commands that a page prints for its user. */
export type OwnCommands = Readonly<Record<'verify', string>>;

/**
 * The command that verifies a program. For users at the console's own machine it names the script of this console in
 * `root`, works in any folder, and names the folder of the console's data unless it is the usual one. For others, and where
 * the script was not installed, it names the package.
 */
export function ownCommands(root: string, isOwnMachine: boolean, dataFolder = ''): OwnCommands {
  const packed = `./payments-out-console-${version}.tgz`;
  const script = join(root, 'scripts/verify.mjs');
  const isHere = isOwnMachine && existsSync(script);
  const isUsual = dataFolder === '' || resolve(dataFolder) === join(root, '.data');
  const data = isUsual ? '' : ` --data ${shellWord(resolve(dataFolder))}`;
  return { verify: `${isHere ? `node ${shellWord(script)}${data}` : `npx ${packed} verify`} -- node your-app.mjs` };
}
