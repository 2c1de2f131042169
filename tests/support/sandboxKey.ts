import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { sandboxSecret } from './sandboxCredentials.ts';

const file = 'sandbox.sqlite';

let made: Promise<string> | undefined;

/** A folder with a sandbox that has made the key of its tokens, and nothing else; removed when the process ends. */
async function make(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-key-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const sandbox = await createSandbox({ data: dataDir, secret: sandboxSecret });
  await sandbox.close();
  return dataDir;
}

/**
 * Puts a new sandbox with a key into an empty data folder, and returns the folder. To make a key takes a third of the time
 * of a test of the sandbox: all tests of a process share one.
 */
export async function withSandboxKey(dataDir: string): Promise<string> {
  made ??= make();
  copyFileSync(join(await made, file), join(dataDir, file));
  return dataDir;
}
