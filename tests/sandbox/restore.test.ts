import { expect, it } from 'vitest';
import { createSandbox } from '#server/sandbox/createSandbox.ts';

it('restore of rows that are not those of a snapshot rejects, and leaves the sandbox as it was (behaviour 10.22.5)', async () => {
  const sandbox = await createSandbox({ seed: 1 });
  await sandbox.prepare('batch-partly-failed');
  const saved = await sandbox.snapshot();
  const wrong = { ...saved, tables: { ...saved.tables, resources: [{ nonsense: 1 }] } };
  await expect(sandbox.restore(wrong)).rejects.toThrow('This is no snapshot: give what snapshot() has returned');
  expect(await sandbox.snapshot()).toEqual(saved);
  await sandbox.close();
});

interface Moment {
  tables: { resources: { kind: string; id: string; value: string }[] };
}

/** All that a moment has stored but its clock, which shows when it was opened. */
const recordsIn = ({ tables: { resources } }: Moment) => resources.filter(({ kind }) => kind !== 'clock');

it('whatever is restored, emptied, prepared or read at once acts one after the other, and the sandbox works (behaviour 10.22.5)', async () => {
  const sandbox = await createSandbox({ port: 0 });
  const { controlToken } = sandbox.credentials;
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' };
    const text = body && JSON.stringify(body);
    const response = await fetch(`${sandbox.url}/sandbox${path}`, { method, headers, ...(text && { body: text }) });
    return { status: response.status, text: await response.text() };
  };
  const dataOf = <T>({ text }: { text: string }) => (JSON.parse(text) as { data: T }).data;
  await sandbox.prepare('batch-partly-failed');
  const moment = dataOf<Moment>(await ask('GET', '/situation'));
  const { snapshotId } = dataOf<{ snapshotId: string }>(await ask('POST', '/snapshots'));
  const acts = [
    () => ask('PUT', '/situation', moment),
    () => ask('POST', `/snapshots/${snapshotId}/restore`),
    () => ask('POST', '/reset', { token: controlToken }),
    () => ask('POST', '/situations', { situation: 'payable' }),
    () => ask('GET', '/situation'),
    () => ask('POST', '/snapshots'),
  ];
  const pairs = acts.flatMap((one) => acts.map((other) => [one, other] as const));
  for (const pair of pairs) {
    const answers = await Promise.all(pair.map((act) => act()));
    expect(answers.filter(({ status }) => status >= 400)).toEqual([]);
  }
  await ask('PUT', '/situation', moment);
  const again = dataOf<Moment>(await ask('GET', '/situation'));
  expect(recordsIn(again)).toEqual(recordsIn(moment));
  await sandbox.close();
}, 60_000);
