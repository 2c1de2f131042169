import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/** The row of a table as its cells. */
export type Row = readonly string[];

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
const lineOf = (row: Row): string => `| ${row.join(' | ')} |`;
/** The table below the comment with its name: the heading, the line below it, and the rows. */
const tableIn = (text: string, name: string): RegExpExecArray => {
  const found = new RegExp(`(<!-- ${name} -->\\n\\n\\|.*\\n\\|.*\\n)((?:\\|.*\\n)*)`).exec(text);
  if (!found) throw new Error(`There is no table ${name}`);
  return found;
};

/** Returns the rows of the table below the comment `<!-- name -->` of a document. */
export const rowsOf = (file: string, name: string): Row[] =>
  tableIn(readFileSync(file, 'utf8'), name)[2]!.split('\n').slice(0, -1).map(cellsOf); // the group is in every match

/** Returns the document, formatted, with the rows of the tables of these names replaced. */
export async function withRows(file: string, tables: Readonly<Record<string, readonly Row[]>>): Promise<string> {
  let text = readFileSync(file, 'utf8');
  for (const [name, rows] of Object.entries(tables)) {
    const [whole, head] = tableIn(text, name);
    text = text.replace(whole, () => [head, ...rows.map((row) => `${lineOf(row)}\n`)].join(''));
  }
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
