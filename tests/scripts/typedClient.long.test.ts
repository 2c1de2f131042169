import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { env } from 'node:process';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { serviceOpenApi } from '#server/description/openapi.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { ready } from '../../scripts/ready.mjs';

beforeAll(ready, 240_000);

/** Without what this test run tells its own workers. */
const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|NODE_ENV)/.test(name)));

function ran(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, env: clean, encoding: 'utf8' });
  return status === 0 ? '' : stdout + stderr;
}

interface Client {
  pay: (url: string, credentials: object, payable: object, day: string) => Promise<{ batchId: string; status: string }>;
}

it('the typed client is generated, compiles and pays a batch at the sandbox (wire 18.1)', async () => {
  expect(readFileSync('examples/typescript-client/signing.ts', 'utf8').split('\n').length).toBeLessThan(80);
  const folder = temporaryFolder();
  cpSync('examples/typescript-client', folder, { recursive: true });
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(serviceOpenApi()));
  expect(ran(folder, 'install', '--no-audit', '--no-fund', '--ignore-scripts')).toBe('');
  expect(ran(folder, 'run', 'generate')).toBe('');
  expect(ran(folder, 'run', 'check')).toBe('');
  const sandbox = await createSandbox({ seed: 1, port: 0 });
  const { organisationId, companyId, primarySigningKey, subscriptionId, debtorId, creditors } =
    await sandbox.prepare('payable');
  const { pay } = (await import(pathToFileURL(join(folder, 'built/pay.js')).href)) as Client; // compiled above
  const payable = { organisationId, companyId, subscriptionId, debtorId, creditor: creditors[0] };
  const credentials = { ...sandbox.credentials, organisationKey: primarySigningKey };
  const { batchId, status } = await pay(sandbox.url, credentials, payable, '2026-01-02');
  expect(status).toBe('Received');
  expect(await sandbox.batches()).toMatchObject([{ batchId }]);
  expect(sandbox.calls().flatMap(({ mistakes }) => mistakes)).toEqual([]);
  await sandbox.close();
  // As if the package were installed in the folder.
  symlinkSync(resolve('.'), join(folder, 'node_modules/payments-out-console'));
  const tried = spawnSync(process.execPath, ['try.mjs'], { cwd: folder, env: clean, encoding: 'utf8' });
  expect([tried.status, tried.stderr]).toEqual([0, '']);
  expect(tried.stdout).toMatch(/batchId: '[\w-]+', status: 'Received'/);
}, 240_000);
