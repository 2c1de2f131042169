import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const documents = execFileSync('git', ['ls-files', '-z', '*.md'])
  .toString()
  .split('\0')
  .filter((file) => file !== '' && existsSync(file));

/** The text without code, in which brackets and hashes mean something else. */
const proseOf = (file: string): string => readFileSync(file, 'utf8').replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, '');

/** The anchor that a heading gets: lower case, without punctuation, hyphens for spaces. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!)); // the group is in every match

const links = documents.flatMap((file) =>
  [...proseOf(file).matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(([, path = '', anchor]) => ({
    file,
    target: path === '' ? file : join(dirname(file), path),
    anchor,
  })),
);

describe('a link in a document', () => {
  it('leads to an existing file', () => {
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ target }) => !existsSync(target))).toEqual([]);
  });

  it('leads to an existing heading', () => {
    const anchored = links.filter(({ anchor, target }) => anchor !== undefined && target.endsWith('.md'));
    expect(anchored.length).toBeGreaterThan(10);
    expect(anchored.filter(({ target, anchor }) => !anchorsIn(target).includes(anchor!))).toEqual([]); // filtered above
  });
});
