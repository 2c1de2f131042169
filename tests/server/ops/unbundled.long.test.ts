import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#tests/support/store.ts';

// Node strips types from 22.18 on; tests/architecture/unbundled.test.ts checks the syntax and imports on every version.
it.runIf(Boolean((process.features as { typescript?: unknown }).typescript))(
  // missing in the types of Node 20
  'The server starts from its source files without a bundler, and ends in order',
  async () => {
    const started = spawn(process.execPath, ['server/main.ts'], {
      env: { ...process.env, PORT: '0', SANDBOX_PORT: '0', DATA_DIR: temporaryFolder() },
    });
    let output = '';
    const greeted = new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Payments Out Console: http')) resolve();
      };
      started.stdout.on('data', read);
      started.stderr.on('data', read);
      started.once('exit', () => reject(new Error(output)));
    });
    const ended = new Promise((resolve) => started.once('exit', resolve));
    await greeted;
    started.kill('SIGTERM');
    expect(await ended).toBe(0);
  },
);
