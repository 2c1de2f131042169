import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'])
  .toString()
  .split('\0')
  .filter((file) => file !== '' && existsSync(file));
/** The paths of all files, and the ends of these paths. */
const paths = new Set(files.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(at).join('/'))));

interface Source {
  /** All identifiers, and the words of all texts. */
  words: Set<string>;
  comments: string[];
}

function sourceOf(file: string, text = readFileSync(file, 'utf8')): Source {
  const source: Source = { words: new Set(), comments: [] };
  const seen = new Set<number>();
  function visit(node: ts.Node): void {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) source.words.add(node.text);
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node)
    )
      for (const word of node.text.match(/[\w$-]+/g) ?? []) source.words.add(word);
    for (const range of [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ]) {
      if (seen.has(range.pos)) continue;
      seen.add(range.pos);
      source.comments.push(text.slice(range.pos, range.end));
    }
    ts.forEachChild(node, visit);
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return source;
}

const sources = new Map(
  files.filter((file) => /\.(tsx?|mjs)$/.test(file)).map((file) => [file, sourceOf(file)] as const),
);
const known = new Set([...sources.values()].flatMap(({ words }) => [...words]));

/** Names of libraries and of the wire. */
const elsewhere = new Set(['Suspense', 'getSimplePaths', '$NAME']);

/** Returns the files that comments name and that do not exist. */
const missingFiles = ({ comments }: Source): string[] =>
  comments
    .flatMap((text) => text.match(/(?<![\w/.*{}-])\w[\w./-]*\.(?:tsx?|mjs)\b/g) ?? [])
    .filter((name) => !paths.has(name));

/** Returns the identifiers in backquotes that no file of the project has. */
const missingNames = ({ comments }: Source): string[] =>
  comments
    .flatMap((text) => [...text.matchAll(/`([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)`/g)])
    .flatMap(([, name = '']) => name.split('.'))
    .filter((name) => !known.has(name) && !elsewhere.has(name));

describe('A comment', () => {
  it('names only files that exist', () => {
    expect(sources.size).toBeGreaterThan(500);
    const missing = [...sources].flatMap(([file, source]) => missingFiles(source).map((name) => `${file}: ${name}`));
    expect(missing).toEqual([]);
  });

  it('names in backquotes only identifiers and words that some file has', () => {
    const missing = [...sources].flatMap(([file, source]) => missingNames(source).map((name) => `${file}: ${name}`));
    expect(missing).toEqual([]);
  });

  it('that names a file or an identifier that is gone is found', () => {
    const gone = ['gone', 'Before'].join('');
    const source = sourceOf('a.ts', `/** Calls \`${gone}\` of \`jsonLimits.${gone}\` (gone.ts, server/main.ts). */`);
    expect(missingFiles(source)).toEqual(['gone.ts']);
    expect(missingNames(source)).toEqual([gone, gone]);
  });
});

/** The casts through `unknown` without a reason on their line; texts that only mention one are between quotes. */
const unexplainedCasts = (text: string): string[] =>
  text
    .split('\n')
    .filter(
      (line) => /^[^'"`]*\bas unknown as\b/.test(line.replaceAll(/'[^']*'|"[^"]*"/g, '')) && !line.includes(' // '),
    );

describe('A cast through unknown', () => {
  it('says on its line why it holds', () => {
    const unexplained = [...sources.keys()].flatMap((file) =>
      unexplainedCasts(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`),
    );
    expect(unexplained).toEqual([]);
  });

  it.each([
    ['const a = b as unknown as C;', 1],
    ["const a = read('b') as unknown as C;", 1],
    ['const a = b as unknown as C; // its declaration', 0],
    ["const a = 'as unknown as';", 0],
    ['const a = b as unknown;', 0],
  ])('is found without a reason: %s', (line, found) => {
    expect(unexplainedCasts(line)).toHaveLength(found);
  });
});
