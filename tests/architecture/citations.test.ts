import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const documents = { behaviour: 'docs/behaviour.md', wire: 'docs/wire.md' } as const;
const headingsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number!); // the group is in every match

const files = execFileSync('git', ['ls-files', '-z', 'src', 'server', 'tests', 'scripts', 'docs', '*.md', '*.ts'])
  .toString()
  .split('\0')
  .filter((file) => /\.(tsx?|mjs|md)$/.test(file) && existsSync(file));

/** Comments may break anywhere: their lines are joined before they are searched. */
const textOf = (file: string): string => readFileSync(file, 'utf8').replaceAll(/\s*\n\s*(\*|\/\/)?\s*/g, ' ');

/** "behaviour, section 5", "wire, sections 2.1 and 13", "behaviour, sections 1-6". */
const citation = /\b(behaviour|wire)(?:\.md)?, sections? ((?:\d+(?:\.\d+)?(?:-|, | and )?)+)/g;
const cited = files.flatMap((file) =>
  [...textOf(file).matchAll(citation)].flatMap(([, document, numbers]) =>
    (numbers!.match(/\d+(\.\d+)?/g) ?? []).map((section) => ({ file, document: document as 'behaviour', section })),
  ),
); // the pattern's first group is a document's name

describe('a citation of a document', () => {
  it('names an existing section of behaviour.md or wire.md', () => {
    expect(cited.length).toBeGreaterThan(100);
    const sections = { behaviour: headingsOf(documents.behaviour), wire: headingsOf(documents.wire) };
    expect(cited.filter(({ document, section }) => !sections[document].includes(section))).toEqual([]);
  });

  it('names no document outside the repository', () => {
    const outside = /\b(spec|ux|upstream-api|specification|architecture)(?:\.md)?, (?:sections?|rules?) \d/;
    expect(files.filter((file) => !file.endsWith('citations.test.ts') && outside.test(textOf(file)))).toEqual([]);
  });

  it('of a decision names an existing decision', () => {
    const decisions = readdirSync('docs/decisions').map((name) => name.slice(0, 4));
    const named = files.flatMap((file) => [...textOf(file).matchAll(/docs\/decisions\/(\d{4})/g)].map(([, id]) => id!)); // the group is in every match
    expect(named.filter((id) => !decisions.includes(id))).toEqual([]);
  });
});
