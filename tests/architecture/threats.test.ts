import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const [, ...sections] = readFileSync('docs/threats.md', 'utf8').split(/^## /m);
const lines = sections
  .filter((section) => !section.startsWith('Not promised'))
  .flatMap((section) => section.split(/^- /m).slice(1))
  .map((line) => line.replaceAll(/\s+/g, ' '));

/** The tests that a line names, as `[name](../file)`. */
const testsOf = (line: string) =>
  [...line.matchAll(/\[([^\]]+)\]\(\.\.\/(tests\/[^)]+)\)/g)].map(([, name, file]) => ({ name: name!, file: file! })); // both groups are in every match

/** Whether the file calls `it`, or what `it.each` gave, with this name. */
const holds = ({ name, file }: { name: string; file: string }): boolean =>
  existsSync(file) && ["'", '"'].some((quote) => readFileSync(file, 'utf8').includes(`${quote}${name}${quote},`));

describe('the threats', () => {
  it('are met by tests that exist, or say that they are not tested', () => {
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => testsOf(line).length === 0 && !line.includes('Not tested yet'))).toEqual([]);
    expect(lines.flatMap(testsOf).filter((test) => !holds(test))).toEqual([]);
  });
});
