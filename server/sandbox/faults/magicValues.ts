import { faultKinds, type FaultKind, type FaultTarget } from '#contract/faults.ts';
import type { Fault } from '#contract/controlShapes.ts';
import {
  magicAmounts,
  magicNames,
  type MagicAmount,
  type MagicName,
  type MagicValue,
  type MagicWord,
} from '#contract/magic.ts';
import type { ActiveFault } from '../records/call.ts';

const patternOf = (word: MagicWord): RegExp => {
  const { also = word }: MagicName = magicNames[word];
  return new RegExp(`(?<![\\w-])(${word}|${also})(?![\\w-])`, 'i');
};
const magicWords = Object.keys(magicNames) as MagicWord[]; // its own keys
const patterns = Object.fromEntries(magicWords.map((word) => [word, patternOf(word)])) as Record<MagicWord, RegExp>; // of all words

/** Returns all texts in a value, at any depth. */
export const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value) as object).flatMap(textsIn);

/** Whether a name contains a magic word. */
export const isMagic = (word: MagicWord, name: string): boolean => patterns[word].test(name);

/** Returns the fault of a magic value, or of a rule: of its kind, with the usual options besides its own. */
export function faultOf<On extends FaultTarget>(
  on: On,
  { kind, options: own }: Pick<MagicValue, 'kind' | 'options'>,
  ruleId: string,
): ActiveFault<On> {
  const { options = {} }: FaultKind = (faultKinds[on] as Record<string, FaultKind>)[kind] ?? { title: '', says: '' };
  const usual = Object.entries(options).map(([name, option]) => [name, option.usual]);
  const fault = { kind, ...(Object.fromEntries(usual) as object), ...own } as Fault<On>; // of the table's own kind
  return { fault, injected: { kind, ruleId } };
}

/**
 * Returns the fault, for this target, of the first magic word (of those in `among`) that one of the names contains;
 * undefined if there is none.
 */
export function namedFault<On extends FaultTarget>(
  on: On,
  names: readonly string[],
  among: readonly MagicWord[] = magicWords,
): ActiveFault<On> | undefined {
  const word = among.find((each) => magicNames[each].on === on && names.some((name) => isMagic(each, name)));
  return word && faultOf(on, magicNames[word], `name:${word}`);
}

/**
 * Returns the fault of a call that contains a payment of a magic amount (decimals in major units); undefined if there
 * is none.
 */
export function amountFault(amounts: readonly string[]): ActiveFault<'call'> | undefined {
  const plain = amounts.map((amount) => amount.replace(/\.0+$/, ''));
  const amount = (Object.keys(magicAmounts) as MagicAmount[]).find((each) => plain.includes(each)); // its own keys
  return amount && faultOf('call', magicAmounts[amount], `amount:${amount}`);
}
