import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { version } from '#server/version.ts';

/** A path or an argument as one word of a shell. */
export function shellWord(path: string): string {
  if (/^[\w./:\\@%+=-]+$/.test(path)) return path;
  return path.includes('\\') ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** The names of the commands that a page prints for its user. */
export type OwnCommands = Readonly<Record<'verify' | 'journey', string>>;

/**
 * The commands that verify a program and that run journeys. For users at the console's own machine they name the script of this
 * console in `root`, and work in any folder; `verify` names the folder of the console's data unless it is the usual one. For
 * others, and where the scripts were not installed, they name the package.
 */
export function ownCommands(root: string, isOwnMachine: boolean, dataFolder = ''): OwnCommands {
  const packed = `./payments-out-console-${version}.tgz`;
  const [verify, journey] = [scriptOf('verify', root, isOwnMachine), scriptOf('journey', root, isOwnMachine)];
  const isUsual = dataFolder === '' || resolve(dataFolder) === join(root, '.data');
  const data = isUsual ? '' : ` --data ${shellWord(resolve(dataFolder))}`;
  return {
    verify: `${verify ? `node ${shellWord(verify)}${data}` : `npx ${packed} verify`} -- node your-app.mjs`,
    journey: journey ? `node ${shellWord(journey)}` : `npx --package ${packed} payments-out-journey`,
  };
}

/** The script of a command in this console's folder; '' for users of other machines, and where it was not installed. */
function scriptOf(command: keyof OwnCommands, root: string, isOwnMachine: boolean): string {
  const script = join(root, 'scripts', `${command}.mjs`);
  return isOwnMachine && existsSync(script) ? script : '';
}
