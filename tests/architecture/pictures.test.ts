import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hashOf, pictureFile, pictureNames } from '#tests/browser/pictured.ts';

it('each picture in docs/pictures was taken with the lines beside it, which a test compares with its page', () => {
  const files = pictureNames.flatMap((name) => [`${name}.png`, `${name}.txt`]);
  expect(readdirSync('docs/pictures').sort()).toEqual(files.sort());
  for (const name of pictureNames) {
    const [hash] = readFileSync(pictureFile(name, 'txt'), 'utf8').split('\n');
    expect([name, hash]).toEqual([name, hashOf(readFileSync(pictureFile(name, 'png')))]);
  }
});
