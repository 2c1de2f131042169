import { existsSync, readFileSync } from 'node:fs';

/** A test that a document refers to as `[name](../tests/file)`. */
interface Named {
  name: string;
  file: string;
}

/** The list items below a document's headings, each joined into one line. */
export const itemsOf = (markdown: string): string[] =>
  markdown
    .split(/^##+ .*$/m)
    .slice(1)
    .flatMap((section) => section.split(/^- /m).slice(1))
    .map((item) => item.replaceAll(/\s+/g, ' '));

/** The tests that a line refers to. */
export const namedIn = (line: string): Named[] =>
  [...line.matchAll(/\[([^\]]+)\]\(\.\.\/(tests\/[^)]+)\)/g)].map(([, name, file]) => ({ name: name!, file: file! })); // both groups are in every match

/** Whether the file defines a test with this name by `it` or `it.each`. */
export const isThere = ({ name, file }: Named): boolean =>
  existsSync(file) && ["'", '"'].some((quote) => readFileSync(file, 'utf8').includes(`${quote}${name}${quote},`));
