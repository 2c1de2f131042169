import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';

/** The files that `npm run package` packs, besides those that are built. */
function packedFiles(): Set<string> {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8', stdio: 'pipe' }); // prettier-ignore
  const [{ files }] = JSON.parse(printed) as [{ files: { path: string }[] }];
  return new Set(files.map(({ path }) => path));
}

/** The relative links and pictures of a document, without those in blocks of code. */
function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  const found = prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"|^\[[^\]]+\]: (\S+)/gm);
  const links = [...found].map(([, inline, attribute, below]) => (inline ?? attribute ?? below ?? '').split('#')[0]!);
  return links.filter((link) => link !== '' && !/^[a-z]+:/.test(link));
}

it('every relative link in the documents of the package leads to a file or a folder of the package', () => {
  const files = packedFiles();
  const documents = [...files].filter((path) => /\.(md|txt)$/.test(path) && !path.startsWith('dist/'));
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/verify.md', 'docs/sandbox.md', 'examples/README.md'])); // prettier-ignore
  const dead = documents.flatMap((document) =>
    linksIn(readFileSync(document, 'utf8'))
      .map((link) => [link, posix.normalize(posix.join(posix.dirname(document), link))] as const)
      .filter(([, path]) => !files.has(path) && ![...files].some((file) => file.startsWith(`${path}/`)))
      .map(([link]) => `${document}: ${link}`),
  );
  expect(dead).toEqual([]);
});

it.each([
  ['[a](b.md#c)', ['b.md']],
  ['![a](b.png) and [c](https://example.com) and [d](#e)', ['b.png']],
  ['<img src="a.png"> [b]\n\n[b]: c/d.md', ['a.png', 'c/d.md']],
  ['```md\n[a](b.md)\n```', []],
])('the relative links in %j are %j', (text, links) => {
  expect(linksIn(text)).toEqual(links);
});
