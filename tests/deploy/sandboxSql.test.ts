import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock as clock } from '#server/clock.ts';
import { openSandboxStore } from '#server/sandbox/store/sandboxStore.ts';
import { startPostgres, statement } from '#tests/support/postgres.ts';

const run = promisify(execFile);
const isInstalled = await run('psql', ['--version']).then(
  () => true,
  () => false,
);

it.skipIf(!isInstalled)(
  'sandbox.sql creates a database for the sandbox, whose user cannot open other databases',
  { timeout: 60_000 },
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.end(), 60_000);
    await statement(server.url, 'create database console');
    const password = "it's a password";
    const options = ['--no-psqlrc', '--set=ON_ERROR_STOP=1', '--file=deploy/sandbox.sql', `--dbname=${server.url}`];
    await run('psql', options, { env: { ...process.env, SANDBOX_POSTGRES_PASSWORD: password } });
    const own = new URL(server.url);
    Object.assign(own, { username: 'sandbox', password: encodeURIComponent(password), pathname: '/sandbox' });
    const store = await openSandboxStore(own.href, { clock, log: pino({ level: 'silent' }) });
    await store.close();
    own.pathname = '/console';
    await expect(statement(own.href, 'select 1')).rejects.toThrow('permission denied for database "console"');
  },
);
