import type { Field, Values } from '#rules/field.ts';

/** Characters of an example, or of each option's label, that fit into half a line. */
const half = 18;

/** Whether two such fields fit beside each other: a code, a number, a choice of few words. */
export function isShort({ kind, example, options }: Field): boolean {
  if (kind === 'boolean') return false;
  if (kind === 'choice') return options.every(({ label }) => label.length <= half);
  return example !== '' && example.length <= half && !example.includes('@');
}

/** Codes are read letter by letter. */
export const isCode = ({ kind, example }: Field): boolean =>
  kind === 'text' && /\d/.test(example) && !/[a-z]{3}/.test(example);

/** Whether somebody has given the field a value; an unticked box has none. */
export function isGiven({ id, kind }: Field, values: Values): boolean {
  const value = (Object.hasOwn(values, id) && values[id]) || '';
  return kind === 'boolean' ? value === 'true' : value.trim() !== '';
}
