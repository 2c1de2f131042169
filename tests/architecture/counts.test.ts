import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A number that may be 1 before a plural, in a template or in JSX. */
const plural =
  /\{[^{}]*(?:\.length|[cC]ount|total)(?:\.toLocaleString\([^)]*\))?\}(?:\{' '\})? (?:[a-z]+ )?[a-z]{3,}s\b/;
/** The line or one shortly before it tests the number, or excludes 1. */
const asks = /=== 1|> 1\b|< 2|most[A-Z]|maximum[A-Z]|total\} ms/;

it('a text of src or server has no literal plural after a number that may be 1: it uses `counted`', () => {
  const files = ['src', 'server'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const wrong = files
    .filter((file) => /\.tsx?$/.test(file) && !/\/(charts|catalogue)\//.test(file))
    .flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      const isWrong = (line: string, index: number) =>
        plural.test(line) && !asks.test(lines.slice(Math.max(0, index - 9), index + 1).join('\n'));
      return lines.flatMap((line, index) => (isWrong(line, index) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
    });
  expect(wrong).toEqual([]);
});
