import { mkdir, mkdtemp, readdir, rm, writeFile, lstat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, describe } from 'vitest';
import { makeKeep } from '#server/verify/keep.ts';
import { makeOlder } from '#server/verify/makeOlder.ts';
import { sandboxService } from '#server/verify/sandboxService.ts';
import { parseResult } from '#server/verify/result.ts';

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

it('opens each sandbox in the same situation, without what was done to the one before', async () => {
  const open = sandboxService();
  const opened = [];
  for (const webhookPort of [9, 10]) {
    const service = await open({ seed: 7, webhookPort, env: {} });
    onTestFinished(service.close);
    expect([service.calls(), service.webhooks(), await service.batches()]).toEqual([[], [], []]);
    expect(Math.abs(Date.parse((await fetch(service.url)).headers.get('date') ?? '') - Date.now())).toBeLessThan(
      20_000,
    );
    opened.push(service);
  }
  const [first, second] = opened.map(({ environment: { PAYMENTS_URL: url, ...more } }) => ({ url, more }));
  expect(second!.more).toEqual(first!.more);
  expect(second!.url).not.toBe(first!.url);
});

describe('a result file', () => {
  it('gives the outcome of each invoice, and may have further members', () => {
    const text = '{"invoices":[{"id":"A","outcome":"paid","batch":"b"},{"id":"B","outcome":"unknown"}],"at":1}';
    expect(parseResult(text)).toEqual({ A: 'paid', B: 'unknown' });
  });

  it.each([
    ['', /^The result file is not JSON/],
    ['[]', /^The result file is wrong: expected/],
    ['{"invoices":[{"id":"A","outcome":"ok"}]}', /^The result file is wrong at invoices\.0\.outcome: expected/],
    ['{"invoices":[{"outcome":"paid"}]}', /^The result file is wrong at invoices\.0\.id: expected/],
  ])('of %j is refused with a sentence that says what is expected', (text, sentence) => {
    expect(parseResult(text)).toMatch(sentence);
    expect(parseResult(text)).toContain(
      '{ "invoices": [{ "id": "…", "outcome": "paid" | "returned" | "failed" | "unknown" }] }',
    );
  });
});
