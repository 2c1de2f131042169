import { faultKinds, type FaultKind, type FaultTarget } from '#contract/lab.ts';
import type { Fault } from '#contract/labShapes.ts';
import { magicAmounts, magicNames, type MagicAmount, type MagicName, type MagicWord } from '#contract/magic.ts';
import type { Mark } from './faults.ts';

const patternOf = (word: MagicWord): RegExp => {
  const { also = word }: MagicName = magicNames[word];
  return new RegExp(`(?<![\\w-])(${word}|${also})(?![\\w-])`, 'i');
};
const words = Object.keys(magicNames) as MagicWord[]; // its own keys
const patterns = Object.fromEntries(words.map((word) => [word, patternOf(word)])) as Record<MagicWord, RegExp>; // of all words

/** All texts in a value, however deep. */
export const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value) as object).flatMap(textsIn);

/** Whether a name holds a magic word. */
export const isMagic = (word: MagicWord, name: string): boolean => patterns[word].test(name);

/** A fault that a value causes, and how it is marked. */
interface MagicFault<On extends FaultTarget> {
  fault: Fault<On>;
  mark: Mark;
}

/** A fault of this kind with its default options. */
function faultOf<On extends FaultTarget>(on: On, kind: string, ruleId: string): MagicFault<On> {
  const { options = {} }: FaultKind = (faultKinds[on] as Record<string, FaultKind>)[kind] ?? { title: '', says: '' };
  const usual = Object.entries(options).map(([name, option]) => [name, option.usual]);
  const fault = { kind, ...(Object.fromEntries(usual) as object) } as Fault<On>; // of the table's own kind
  return { fault, mark: { kind, ruleId } };
}

/** The fault of a kind of thing that the first magic word in these names causes, of those in `among`. */
export function namedFault<On extends FaultTarget>(
  on: On,
  names: readonly string[],
  among: readonly MagicWord[] = words,
): MagicFault<On> | undefined {
  const word = among.find((each) => magicNames[each].on === on && names.some((name) => isMagic(each, name)));
  return word && faultOf(on, magicNames[word].kind, `name:${word}`);
}

/** The fault of a call with a payment of a magic amount, a decimal in major units; undefined if there is none. */
export function amountFault(amounts: readonly string[]): MagicFault<'call'> | undefined {
  const plain = amounts.map((amount) => amount.replace(/\.0+$/, ''));
  const amount = (Object.keys(magicAmounts) as MagicAmount[]).find((each) => plain.includes(each)); // its own keys
  return amount && faultOf('call', magicAmounts[amount].kind, `amount:${amount}`);
}
