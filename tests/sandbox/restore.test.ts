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
