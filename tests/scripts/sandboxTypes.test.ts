import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { sandboxTypes } from '../../scripts/sandboxTypes.mjs';

const program = (
  amount: string,
  kind = 'latency',
) => `import { createSandbox, type FaultRule, type RecordedCall } from 'payments-out-console/sandbox';
export async function firstCall(): Promise<RecordedCall | undefined> {
  const sandbox = await createSandbox({ seed: 1 });
  const rule: FaultRule = { on: 'call', of: 'createBatch', fault: { kind: '${kind}' } };
  await sandbox.faults.add(rule);
  await sandbox.clock.advance(${amount});
  return sandbox.calls()[0];
}
`;

/** Compiles a file of a project in which the package is installed; resolves to what the compiler printed. */
async function compiled(file: string, source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'types-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as { exports: object };
  const installed = 'node_modules/payments-out-console';
  const options = { module: 'node16', target: 'es2022', lib: ['es2022', 'dom', 'esnext.disposable'], types: [], strict: true, noEmit: true }; // prettier-ignore
  const files: Record<string, string> = {
    [file]: source,
    'package.json': '{}',
    'tsconfig.json': JSON.stringify({ compilerOptions: options, files: [file] }),
    [`${installed}/package.json`]: JSON.stringify({
      name: 'payments-out-console',
      version: '1.0.0',
      type: 'module',
      exports,
    }),
  };
  for (const [name, text] of Object.entries(sandboxTypes())) files[`${installed}/dist/types/${name}`] = text;
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return promisify(execFile)(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder]).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout, // of execFile
  );
}

it.each(['main.cts', 'main.mts'])(
  'the types of the sandbox compile with the resolution node16 in %s, and refuse a wrong argument and a fault that the target does not have (behaviour 10.22.1)',
  async (file) => {
    expect(await compiled(file, program('1000'))).toBe('');
    expect(await compiled(file, program("'1000'"))).toContain('TS2345');
    for (const kind of ['latencies', 'lose', ''])
      expect(await compiled(file, program('1000', kind))).toContain('TS2322');
  },
  60_000,
);
