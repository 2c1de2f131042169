import { faultPlaces, type FaultOption, type FaultTarget } from '#contract/faults.ts';
import { serviceCall, type ServiceOperation } from '#contract/serviceCalls.ts';
import type { FaultRule } from '#contract/controlShapes.ts';
import { faultTitle, faultKindOf } from './lab.ts';

/**
 * A rule of the fault lab as a sentence: "When create batch is called: Response lost, the next time". The form has
 * the same sentence, with choices in place of its parts.
 */

/** What follows the place: the subject is one place, or all of them. */
const happening: Readonly<Record<FaultTarget, string>> = {
  call: 'is called',
  webhook: 'is sent',
  put: 'is put',
  message: 'is sent',
  login: 'logs in',
  authorisation: 'is pending',
  batch: 'is created',
  definition: 'are read',
};

const anyPlace: Readonly<Record<FaultTarget, string>> = {
  call: 'any operation',
  webhook: 'any webhook',
  put: 'any debtor or creditor',
  message: 'any other message',
  login: 'a user',
  authorisation: 'any approval',
  batch: 'any batch',
  definition: 'any definitions',
};

/** `createBatch` as words: `create batch`. */
const spaced = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const onePlace: Readonly<Record<FaultTarget, (name: string) => string>> = {
  call: spaced,
  webhook: (name) => `webhook ${name}`,
  put: (name) => `a ${name}`,
  message: (name) => `message ${name}`,
  login: spaced,
  authorisation: (name) => `approval of a ${name}`,
  batch: (name) => `${name === 'electronic' ? 'an' : 'a'} ${name} batch`,
  definition: (name) => `${spaced(name)} definitions`,
};

/** The places of a fault, `any` first. */
export const placesOf = (on: FaultTarget): readonly string[] => ['any', ...faultPlaces[on]];

export const placeWords = (on: FaultTarget, of: string): string => (of === 'any' ? anyPlace[on] : onePlace[on](of));

/** Method and path of a call of the service; '' for other places. */
export function routeOf(on: FaultTarget, of: string): string {
  if (on !== 'call' || of === 'any') return '';
  const { methods, path } = serviceCall(of as ServiceOperation); // faultPlaces lists exactly these
  return `${methods.join(', ')} ${path.replaceAll(/\{\w+\}/g, '…')}`;
}

export const happeningWords = (on: FaultTarget): string => happening[on];

/** A rule that causes a fault once, with the usual values of its options. */
export function usualFault(on: FaultTarget, of: string, kind: string): FaultRule {
  const options = Object.entries(faultKindOf(on, kind)?.options ?? {}).map(([name, { usual }]) => [name, usual]);
  const fault = { kind, ...(Object.fromEntries(options) as object) };
  return { on, of, fault, times: 1, probability: 1, seed: 1 } as FaultRule; // a place and a kind of the table
}

/** How often a rule causes its fault. */
function oftenWords({ on, times, probability, seed }: FaultRule): string {
  if (on === 'definition') return 'until the fault is removed';
  const often = times === 'always' ? 'always' : times === 1 ? 'the next time' : `the next ${times} times`;
  return probability === 1 ? often : `${often}, with probability ${probability} (seed ${seed})`;
}

/** The given options of a fault in brackets: ` (status 503)`; '' if it has none. */
function optionWords({ on, fault }: FaultRule): string {
  const given: Readonly<Record<string, string | number>> = { ...fault };
  const all: [string, FaultOption][] = Object.entries(faultKindOf(on, fault.kind)?.options ?? {});
  const said = all.flatMap(([name, option]) => {
    const value = given[name] ?? '';
    if (value === '') return [];
    const [label = ''] = option.label.split(/[;,]/);
    return `${label.toLowerCase()} ${value}${option.type === 'number' && option.unit ? ` ${option.unit}` : ''}`;
  });
  return said.length > 0 ? ` (${said.join(', ')})` : '';
}

/** A rule as a sentence without its full stop. */
export const sentenceOf = (rule: FaultRule): string =>
  `When ${placeWords(rule.on, rule.of)} ${happening[rule.on]}: ${faultTitle(rule.fault.kind)}${optionWords(rule)}, ${oftenWords(rule)}`;
