import type { Aim, Row } from './row.ts';

/** What a run of a part found: its rows until it ended or failed. */
export interface Measured {
  rows: readonly Row[];
  /** What went wrong, if the part failed. */
  failure?: string;
  /** When it began: an ISO 8601 date and time. */
  at: string;
  seconds: number;
  /** "Node v24.1.0, ajv 8.17.1 on linux 6.1 (x64), 2 cores: AMD EPYC, at a load of 0.4". */
  machine: string;
}

const introduction = `# Bench

Each section holds the last results of one part of \`npm run bench\`; \`npm run bench -- page server\` measures these parts only, and
\`npx -y -p node@24 npm run bench -- server\` the server on another version of Node. \`npm run bench -- writes --beside ../other\` takes turns
with the build in another checkout, whose commit is then the reference; aims that are parts of a reference need it.
Times vary between machines and runs, and grow with the load, the number of processes that wanted a core when the part began:
compare ratios. A reference is measured in the same run as the figure beside it; the ratio is ours divided by the reference.

\`tests\` also lists the coverage of the generated paths: (a) on actors, (b) through the DOM, (c) in the browser.

`;

/** Three digits; a whole number, which may have been counted, as it is. */
const figure = (value: number): string => String(Number.isInteger(value) ? value : Number(value.toPrecision(3)));

const withUnit = (value: number, unit: Row['unit']): string =>
  unit === 'ratio' ? figure(value) : `${figure(value)} ${unit}`;

/** The aim in words: "at most 2 ms, at most 1 of the reference"; '' if there is none. */
function wordsOf({ most, leastPart, mostPart, mostMore, because }: Aim, unit: Row['unit']): string {
  const more = mostMore === undefined ? '' : withUnit(mostMore, unit);
  const above =
    mostPart === undefined
      ? more && `at most ${more} more than the reference`
      : `at most ${figure(mostPart)} of the reference${more && ` and ${more}`}`;
  const words = [
    most !== undefined && `at most ${withUnit(most, unit)}`,
    leastPart !== undefined && `at least ${figure(leastPart)} of the reference`,
    above,
  ];
  return [because, words.filter(Boolean).join(', ')].filter(Boolean).join(': ');
}

/** Whether a row is as it is meant to be; a figure or reference that is missing (NaN) is not. */
function isMet({ ours, reference }: Row, { most, leastPart, mostPart, mostMore }: Aim): boolean {
  const its = reference?.value ?? NaN;
  return (
    (most === undefined || ours <= most) &&
    (leastPart === undefined || ours >= its * leastPart) &&
    ((mostPart ?? mostMore) === undefined || ours <= its * (mostPart ?? 1) + (mostMore ?? 0))
  );
}

const columns = ['what', 'ours', 'reference', 'ratio', 'aim', 'met'] as const;

/** A row as it is printed and written. */
export function cellsOf(row: Row): Record<(typeof columns)[number], string> {
  const { what, unit, ours, reference, aim } = row;
  return {
    what,
    ours: withUnit(ours, unit),
    reference: reference ? `${figure(reference.value)} ${reference.what}` : '',
    ratio: reference ? figure(ours / reference.value) : '',
    aim: aim ? wordsOf(aim, unit) : '',
    met: aim ? (isMet(row, aim) ? 'yes' : '**no**') : '',
  };
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;

/** The section of a part, in Markdown. */
function sectionOf(part: string, { rows, failure, at, seconds, machine }: Measured): string {
  const table = [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(Object.values(cellsOf(row)))),
  ];
  const failed = ['**Failed**; what it would have measured next is missing:', '', `    ${failure?.split('\n', 1)[0]}`];
  return [
    `## ${part}`,
    `Measured on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC within ${figure(Math.ceil(seconds))} s, with ${machine}.`,
    ...(rows.length > 0 ? [table.join('\n')] : []),
    ...(failure === undefined ? [] : [failed.join('\n')]),
  ].join('\n\n');
}

/**
 * The document with one section written anew and all others as they were, in the order of `parts`. A section is titled
 * by its part, with the version of Node after a comma if it has one of each. Sections of parts that there are no more are
 * left out.
 */
export function withPart(document: string, title: string, measured: Measured, parts: readonly string[]): string {
  const sections = new Map(
    document.split(/^(?=## )/m).map((text) => [/^## (.*)/.exec(text)?.[1] ?? '', text.trim()] as const),
  );
  const [partOfTitle = ''] = title.split(',');
  // A part that has come to have a section for each version of Node has none without.
  if (partOfTitle !== title) sections.delete(partOfTitle);
  sections.set(title, sectionOf(title, measured));
  const titlesOf = (part: string) => [...sections.keys()].filter((each) => each.split(',')[0] === part).sort();
  const all = parts.flatMap((part) => titlesOf(part).map((each) => sections.get(each)));
  return `${introduction}${all.join('\n\n')}\n`;
}
