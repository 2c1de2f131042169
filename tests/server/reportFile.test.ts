import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkReport, UnwrittenError, writeReport, writeText } from '#server/reportFile.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const isLinux = process.platform === 'linux';

describe('A report', () => {
  it('is not there after the check whether it can be written, and a former one stays', async () => {
    const folder = temporaryFolder();
    const [fresh, former] = [join(folder, 'new.xml'), join(folder, 'former.xml')];
    writeFileSync(former, 'former');
    for (const path of [fresh, former]) await checkReport('--report', path);
    expect(readdirSync(folder)).toEqual(['former.xml']);
    expect(readFileSync(former, 'utf8')).toBe('former');
  });

  it.each<[string, (folder: string) => string, string]>([
    ['a folder', (folder) => folder, 'it is a folder, where a file would be right'],
    ['below a folder that is missing', (folder) => join(folder, 'missing', 'report.xml'), 'its folder does not exist'],
    [
      'below a file',
      (folder) => (writeFileSync(join(folder, 'file'), ''), join(folder, 'file', 'report.xml')),
      'a part of its path is a file, where a folder would be right',
    ],
    [
      'a link to a missing folder',
      (folder) => (symlinkSync('/nowhere/x', join(folder, 'link')), join(folder, 'link')),
      'its folder does not exist',
    ],
  ])('that is %s is refused with its name, and what would be right', async (_, place, reason) => {
    const folder = temporaryFolder();
    const path = place(folder);
    await expect(checkReport(`--report ${path}`, path)).rejects.toThrow(
      `--report ${path} cannot be written: ${reason}`,
    );
    await expect(writeReport(`--report ${path}`, path, 'text')).rejects.toThrow(UnwrittenError);
  });

  it('is written whole, also through a link, which stays', async () => {
    const folder = temporaryFolder();
    const [path, link] = [join(folder, 'report.json'), join(folder, 'link.json')];
    writeFileSync(path, 'former');
    symlinkSync(path, link);
    await checkReport('--json', link);
    await writeReport('--json', link, 'whole');
    expect(readFileSync(path, 'utf8')).toBe('whole');
    expect(readdirSync(folder).sort()).toEqual(['link.json', 'report.json']);
    const dangling = join(folder, 'dangling.json');
    symlinkSync(join(folder, 'target.json'), dangling);
    await checkReport('--json', dangling);
    expect(existsSync(join(folder, 'target.json'))).toBe(false);
  });

  it.runIf(isLinux)('on a full disk is refused with its name, and leaves the former one', async () => {
    for (const write of [
      writeText('/dev/full', 'text', '--junit /dev/full'),
      writeReport('--junit /dev/full', '/dev/full', 'x'),
    ])
      await expect(write).rejects.toThrow('--junit /dev/full cannot be written: its disk is full');
    const folder = temporaryFolder();
    const path = join(folder, 'report.xml');
    writeFileSync(path, 'former');
    symlinkSync('/dev/full', `${path}.${process.pid}.part`);
    await expect(writeReport('--junit report.xml', path, 'text')).rejects.toThrow(
      'report.xml cannot be written: its disk',
    );
    expect(readdirSync(folder)).toEqual(['report.xml']);
    expect(readFileSync(path, 'utf8')).toBe('former');
  });

  it.runIf(isLinux)('may be a device', async () => {
    await checkReport('--json', '/dev/null');
    await writeReport('--json', '/dev/null', 'text');
    expect(statSync('/dev/null').isFile()).toBe(false);
  });

  it('may replace a file that only its owner reads', async () => {
    const folder = join(temporaryFolder(), 'folder');
    mkdirSync(folder);
    const path = join(folder, 'report.xml');
    writeFileSync(path, 'former');
    chmodSync(path, 0o600);
    await writeReport('--junit', path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
  });
});
