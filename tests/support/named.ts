import { existsSync, readFileSync } from 'node:fs';

/** A test that a document names as `[name](../tests/file)`. */
interface Named {
  name: string;
  file: string;
}

/** The lines of a document: the list items below its headings, folded into one line each. */
export const itemsOf = (markdown: string): string[] =>
  markdown
    .split(/^##+ .*$/m)
    .slice(1)
    .flatMap((section) => section.split(/^- /m).slice(1))
    .map((item) => item.replaceAll(/\s+/g, ' '));

/** The tests that a line names. */
export const namedIn = (line: string): Named[] =>
  [...line.matchAll(/\[([^\]]+)\]\(\.\.\/(tests\/[^)]+)\)/g)].map(([, name, file]) => ({ name: name!, file: file! })); // both groups are in every match

/** Whether the file calls `it`, or what `it.each` returned, with this name. */
export const isThere = ({ name, file }: Named): boolean =>
  existsSync(file) && ["'", '"'].some((quote) => readFileSync(file, 'utf8').includes(`${quote}${name}${quote},`));
