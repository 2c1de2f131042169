/** A rule of a document, such as `- **4.7** The server deletes ...`; one without a number has an empty one. */
export interface Rule {
  section: string;
  number: string;
  text: string;
}

/** A number at the end of a test's title, such as `(behaviour 4.7, 5.1; threat 3.2)`. */
export interface Tag {
  document: string;
  number: string;
}

/** The list items of a document's numbered sections. */
export function rulesOf(markdown: string): Rule[] {
  const rules: Rule[] = [];
  let section = '';
  for (const line of markdown.split('\n')) {
    if (/^##+ /.test(line)) section = /^##+ (\d+(?:\.\d+)?)\.? /.exec(line)?.[1] ?? '';
    const [, number = '', text = ''] = /^- (?:\*\*(\d+(?:\.\d+)+)\*\* )?(.*)$/.exec(line) ?? [];
    if (section !== '' && line.startsWith('- ')) rules.push({ section, number, text });
  }
  return rules;
}

/** The numbers at the ends of titles in a test file. A number that cannot be read is returned as it stands. */
export const tagsIn = (source: string): Tag[] =>
  [...source.matchAll(/\(((?:behaviour|threats?|wire)\b[^()'"`\n]*)\)['"`],/g)].flatMap(([, tag]) =>
    tag!.split('; ').flatMap((part) => {
      const [document = '', ...numbers] = part.split(/(?<=^\S+) |, /); // the group is in every match
      return numbers.map((number) => ({ document, number }));
    }),
  );

/** What is wrong between the rules of one document and the numbers that tests name of it, one line each. */
export function faultsOf(document: string, rules: readonly Rule[], tags: readonly Tag[]): string[] {
  const numbers = rules.map(({ number }) => number);
  const named = new Set(tags.filter((tag) => tag.document === document).map(({ number }) => number));
  return [
    ...rules.flatMap(({ section, number, text }, index) => {
      if (number === '') return [`${document}, section ${section}: a rule has no number: ${text}`];
      if (number.replace(/\.\d+$/, '') !== section) return [`${document} ${number} is in section ${section}`];
      if (numbers.indexOf(number) < index) return [`${document} ${number} is the number of two rules`];
      const isExempt = /\bNo test: \S/.test(text);
      if (isExempt && named.has(number)) return [`${document} ${number} says that it has no test, and has one`];
      return isExempt || named.has(number) ? [] : [`${document} ${number} has no test: ${text}`];
    }),
    ...[...named].filter((number) => !numbers.includes(number)).map((number) => `${document} ${number} is no rule`),
  ];
}
