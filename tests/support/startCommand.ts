import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How a command has ended; `code` is its exit code. */
interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Variables that a developer may have set; '' is as if they were not. */
const unset = { STORE_URL: '', STORE_KEY: '', STORE_KEY_PREVIOUS: '', DATA_DIR: '', UPSTREAM: '', HOST: '', PORT: '', SANDBOX_PORT: '' }; // prettier-ignore

/** Runs the program, or one of its commands, until it ends; resolves also if it fails. */
export async function startCommand(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const running = promisify(execFile)(process.execPath, ['scripts/start.mjs', ...args], {
    env: { ...process.env, ...unset, ...environment },
  });
  const { code, stdout, stderr } = await running.then(
    (ended): Ended => ({ code: 0, ...ended }),
    (ended: Ended) => ended, // of execFile
  );
  return { code, printed: stdout + stderr };
}
