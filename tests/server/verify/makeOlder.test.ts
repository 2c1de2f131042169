import { lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeOlder } from '#server/verify/makeOlder.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'older-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it('files, folders and links in a folder become so much older (behaviour 10.21.20)', async () => {
  const folder = await newFolder();
  const paths = ['lock', 'locks', 'locks/inner', 'link'].map((name) => join(folder, name));
  await writeFile(paths[0]!, ''); // there are four
  await mkdir(paths[1]!);
  await writeFile(paths[2]!, '');
  await symlink('/nowhere/process-7', paths[3]!);
  const ages = () => Promise.all(paths.map(async (path) => (await lstat(path)).mtimeMs));
  const before = await ages();
  await makeOlder(folder, 7_200_000);
  for (const [index, age] of (await ages()).entries()) expect(before[index]! - age).toBeCloseTo(7_200_000, -1);
});

it('a folder that does not exist stays away', async () => {
  const missing = join(await newFolder(), 'missing');
  await makeOlder(missing, 1000);
  await expect(lstat(missing)).rejects.toThrow('ENOENT');
});
