import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A console with its own sandbox, in its own process and data folder. */
export interface Started {
  origin: string;
  /** Ends the process and removes the folder. */
  stop: () => Promise<void>;
}

/** Variables that a console on its own sandbox does without, as an empty one counts as absent. */
const absent = [
  ...['STORE_URL', 'STORE_KEY', 'STORE_KEY_FILE', 'STORE_KEY_PREVIOUS', 'STORE_KEY_PREVIOUS_FILE', 'ACCEPT_STORE'],
  ...['STORE_URL_FILE', 'SANDBOX_STORE_URL', 'SANDBOX_STORE_URL_FILE', 'SANDBOX_URL', 'SANDBOX_PUBLIC_URL'],
  ...['SANDBOX_HOST', 'WEBHOOK_URL', 'METRICS_PORT', 'ALLOWED_HOSTS', 'TRUSTED_PROXIES'],
  ...['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_CLIENT_SECRET_FILE', 'OIDC_SCOPE', 'PUBLIC_URL'],
];

/** Overrides the environment. */
const own = {
  ...Object.fromEntries(absent.map((name) => [name, ''])),
  HOST: '127.0.0.1',
  PORT: '0',
  SANDBOX_PORT: '0',
  UPSTREAM: 'sandbox',
  // Its address is read from its sentence.
  LOG_FORMAT: 'text',
  // Without a user at the screen, calls are more frequent than usual.
  RATE_LIMIT: '1000',
};

/** Starts the built console on free ports, as `npm start` does. Rejects with its output if it does not start. */
export async function startConsole(root: string): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-journey-'));
  const child = spawn(process.execPath, [join(root, 'dist/server/main.js')], {
    cwd: folder, // there is no file .env
    env: { ...process.env, ...own, DATA_DIR: folder },
    // It ends with this process, whose end closes the channel.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // So that an interrupted run leaves no process behind.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    process.off('exit', kill);
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  let printed = '';
  const origin = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const [, url] = /^Payments Out Console: (\S+?),?\s/m.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    void ended.then(() => reject(new Error(`The console did not start:\n${printed}`)));
  });
  try {
    return { origin: await origin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
