import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '#server/version.ts';

/** A path as one word of a shell. */
function quoted(path: string): string {
  if (/^[\w./:\\@%+=-]+$/.test(path)) return path;
  return path.includes('\\') ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}

/**
 * The command that verifies a program. For users at the console's own machine it names the script of this console in
 * `root`, and works in any folder. For others, and where the script was not installed, it names the package.
 */
export function verifyCommand(root: string, isOwnMachine: boolean): string {
  const script = join(root, 'scripts', 'verify.mjs');
  const verify =
    isOwnMachine && existsSync(script) ? `node ${quoted(script)}` : `npx ./payments-out-console-${version}.tgz verify`;
  return `${verify} -- node your-app.mjs`;
}
