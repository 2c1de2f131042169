import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { batchIn, walk } from '#tests/support/guidedPath.ts';
import { known, timelineOf } from '#tests/support/knownRecords.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const run = promisify(execFile);
const newKey = () => randomBytes(32).toString('base64');

/** Whether this machine has a pg_dump that the server of this URL accepts: one of its version or a later one. */
async function canDump(url: string): Promise<boolean> {
  const { stdout } = await run('pg_dump', ['--version']).catch(() => ({ stdout: '' }));
  const [{ version } = { version: 0 }] = await statement(
    url,
    `select current_setting('server_version_num') as version`,
  );
  return Number(/ (\d+)/.exec(stdout)?.[1] ?? 0) >= Math.floor(Number(version) / 10_000);
}

// backup.long.test.ts tests more of the restored data, with a copied file.
it(
  'A restored PostgreSQL dump has all data with the same key, and is refused with another key',
  { timeout: 120_000 },
  async () => {
    const url = await temporaryDatabase();
    const elsewhere = await temporaryDatabase();
    const console = await newConsole({ STORE_URL: url, STORE_KEY: newKey() });
    onTestFinished(() => console.remove());
    const server = { ...console, ...apiAt(console.url) };
    await server.start();
    await walk(server);
    await batchIn(server, 'Completed', (await server.done('getSettings')).batchId);
    await server.done('makeProgramToken', { body: { name: 'Nightly run' } });
    const before = await known(server);
    const entries = await timelineOf(server);

    const dumps = await canDump(url);
    const dump = join(temporaryFolder(), 'console.dump');
    // The console is running.
    if (dumps) await run('pg_dump', ['--format=custom', `--file=${dump}`, url]);
    expect(await server.stop('SIGTERM')).toBe(0);
    if (dumps) {
      await run('pg_restore', [
        '--clean',
        '--if-exists',
        '--exit-on-error',
        '--no-owner',
        `--dbname=${elsewhere}`,
        dump,
      ]);
    } else {
      // Where there is no pg_dump of the server's version, the server itself copies the database.
      const [from, to] = [url, elsewhere].map((each) => new URL(each).pathname.slice(1));
      const own = new URL(url);
      own.pathname = '/postgres';
      await statement(own.href, `drop database ${to}`);
      await statement(own.href, `create database ${to} template ${from}`);
    }

    await expect(server.start({ STORE_URL: elsewhere, STORE_KEY: newKey() })).rejects.toThrow(
      /STORE_KEY is not the key that the data were encrypted with/,
    );
    await server.start({ STORE_URL: elsewhere });
    expect(await known(server)).toEqual(before);
    const after = await timelineOf(server);
    for (const [id, entry] of entries) expect(after.get(id)).toEqual(entry);
  },
);
