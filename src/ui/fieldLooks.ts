import type { Field, Values } from '#rules/field.ts';

/** Maximum length, in characters, of an example or option label that fits into half a line. */
const half = 18;

/** Whether the field fits into half a line: a code, a number, a choice with short labels. */
export function isShort({ kind, example, options }: Field): boolean {
  if (kind === 'boolean') return false;
  if (kind === 'choice') return options.every(({ label }) => label.length <= half);
  return example !== '' && example.length <= half && !example.includes('@');
}

/** Whether the field contains a code, shown in a monospaced font: its example has a digit and no lower-case word. */
export const isCode = ({ kind, example }: Field): boolean =>
  kind === 'text' && /\d/.test(example) && !/[a-z]{3}/.test(example);

/** Whether the field has a value; an unticked checkbox has none. */
export function isGiven({ id, kind }: Field, values: Values): boolean {
  const value = (Object.hasOwn(values, id) && values[id]) || '';
  return kind === 'boolean' ? value === 'true' : value.trim() !== '';
}
