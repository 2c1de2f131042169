import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeKeep } from '#server/verify/keep.ts';

async function folderWith(files: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keep-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const file of files) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), '');
  }
  return folder;
}

it('a folder in which an earlier verification was kept has nothing of it left, in no scenario (behaviour 10.21.17)', async () => {
  const folder = await folderWith([
    'works/calls.har',
    'works/output-1.txt',
    'killed/runs.json',
    'notes.txt',
    'own/calls.har',
  ]);
  await makeKeep(folder);
  expect((await readdir(folder)).sort()).toEqual(['notes.txt', 'own']);
});

it.each(['webhooks/index.mjs', 'works/calls.har.gz', 'killed/src/a.js'])(
  'a folder with a file of something else (%s) is refused before anything is removed from it (behaviour 10.21.17)',
  async (file) => {
    const folder = await folderWith([file]);
    await expect(makeKeep(folder)).rejects.toThrow(
      /cannot be written: \S+ in it is of no verification; give another folder$/,
    );
    expect(await readdir(join(folder, file, '..'))).toHaveLength(1);
  },
);
