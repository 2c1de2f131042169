import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { faultKinds, faultPlaces, type FaultKind, type FaultTarget } from '#contract/faults.ts';
import { sandboxTypes } from '../../scripts/sandboxTypes.mjs';

const program = (amount: string, kind = 'latency') => `
import { createSandbox, type FaultRule, type RecordedCall } from 'payments-out-console/sandbox';
export async function firstCall(): Promise<RecordedCall | undefined> {
  const sandbox = await createSandbox({ seed: 1 });
  const rule: FaultRule = { on: 'call', of: 'createBatch', fault: { kind: '${kind}' } };
  await sandbox.faults.add(rule);
  await sandbox.clock.advance(${amount});
  return sandbox.calls()[0];
}
`;

/** Each fault with all its options, at each place of its target. */
const rules = Object.entries<Record<string, FaultKind>>(faultKinds).flatMap(([on, kinds]) =>
  Object.entries(kinds).flatMap(([kind, { options = {} }]) =>
    [...faultPlaces[on as FaultTarget], 'any'].map((of) => ({
      on,
      of,
      fault: { kind, ...Object.fromEntries(Object.entries(options).map(([name, { usual }]) => [name, usual])) },
    })),
  ),
);

const allFaults = `
import type { FaultRule } from 'payments-out-console/sandbox';
export const rules: FaultRule[] = ${JSON.stringify(rules)};
`;

/** Compiles files of a project in which the package is installed; resolves to the codes of the errors by file. */
async function errorsIn(sources: Readonly<Record<string, string>>): Promise<Record<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'types-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as { exports: object };
  const installed = 'node_modules/payments-out-console';
  const options = { module: 'node16', target: 'es2022', lib: ['es2022', 'dom', 'esnext.disposable'], types: [], strict: true, noEmit: true }; // prettier-ignore
  const files: Record<string, string> = {
    ...sources,
    'package.json': '{}',
    'tsconfig.json': JSON.stringify({ compilerOptions: options, files: Object.keys(sources) }),
    [`${installed}/package.json`]: JSON.stringify({
      name: 'payments-out-console',
      version: '1.0.0',
      type: 'module',
      exports,
    }),
  };
  for (const [name, text] of Object.entries(await sandboxTypes())) files[`${installed}/dist/types/${name}`] = text;
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const printed = await promisify(execFile)(process.execPath, [
    resolve('node_modules/typescript/bin/tsc'),
    '-p',
    folder,
  ]).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout, // of execFile
  );
  const found: Record<string, string[]> = {};
  for (const [, file = '', code = ''] of printed.matchAll(/^(\S+)\(\d+,\d+\): error (TS\d+)/gm))
    found[basename(file)] = [...(found[basename(file)] ?? []), code];
  return found;
}

it('the types of the sandbox compile with the resolution node16 in both kinds of modules, accept each fault of the lab, and refuse a wrong argument and faults that the target does not have (behaviour 10.22.1)', async () => {
  const kinds = ['cts', 'mts'];
  const sources = kinds.flatMap((kind) => [
    [`right.${kind}`, program('1000')],
    [`all.${kind}`, allFaults],
    [`wrong.${kind}`, program("'1000'")],
    ...['latencies', 'lose', ''].map((fault, index) => [`fault${index}.${kind}`, program('1000', fault)]),
  ]);
  const expected = kinds.flatMap((kind) => [
    [`wrong.${kind}`, ['TS2345']],
    ...[0, 1, 2].map((index) => [`fault${index}.${kind}`, ['TS2322']]),
  ]);
  expect(await errorsIn(Object.fromEntries(sources) as Record<string, string>)).toEqual(Object.fromEntries(expected));
}, 120_000);
