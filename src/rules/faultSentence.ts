import type { faultKinds } from '#contract/lab.ts';
import { faultPlaces, type FaultOption, type FaultTarget } from '#contract/lab.ts';
import { serviceCall, type ServiceOperation } from '#contract/serviceCalls.ts';
import type { FaultRule } from '#contract/labShapes.ts';
import { kindOf } from './lab.ts';

/**
 * A rule of the fault lab as a sentence: "When create batch is called, lose the response the next time". The form has
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

type Verbs = { readonly [On in FaultTarget]: Readonly<Record<keyof (typeof faultKinds)[On], string>> };

/** What the sandbox does, by target and kind of fault. */
const verbs: Verbs = {
  call: {
    status: 'refuse it with an error',
    tooMany: 'refuse it with 429',
    tooManyUntil: 'refuse it with 429 until a time',
    redirect: 'redirect it to another address',
    expiredToken: 'refuse its token with 401',
    latency: 'respond late',
    noAnswer: 'never respond',
    noBody: 'send only the headers',
    reset: 'reset the connection',
    truncated: 'break off the response',
    slow: 'send the body slowly',
    html: 'respond with HTML',
    answerLost: 'lose the response',
    extraMembers: 'add unknown members',
    unknownStatus: 'give an unknown status',
    nullMembers: 'send null for optional members',
    changed: 'change the response',
  },
  webhook: {
    lose: 'lose it',
    delay: 'delay it',
    duplicate: 'deliver it twice',
    reorder: 'deliver it after the following webhook',
    badSignature: 'sign it with another secret',
    oldTimestamp: 'sign it for an hour ago',
    otherSubscription: 'name an unknown subscription',
    array: 'send a list as its body',
    receiverDown: 'fail to reach the receiver',
    changed: 'change its body',
  },
  put: { refuse: 'refuse it', authorise: 'ask for authorisation' },
  message: { refuse: 'refuse it' },
  login: { noState: 'return without the state', wrongState: 'return with another state', neverReturns: 'never return' },
  authorisation: {
    approve: 'approve it',
    reject: 'reject it',
    cancel: 'cancel it',
    expire: 'let its link expire',
    approveTwice: 'approve it twice',
    approveThenRevoke: 'approve it, then revoke it',
  },
  batch: {
    hold: 'wait for manual steps',
    needsApproval: 'ask for approval',
    failPayment: 'fail a payment',
    returned: 'complete it, then return it',
    fileLinkDead: 'let its file links expire',
  },
  definition: {
    ruleAdded: 'add a rule',
    ruleDropped: 'leave out a rule',
    ruleRequired: 'require a rule',
    ruleRegex: 'change a regex',
    nullText: 'leave out a rule’s texts',
    unknownOptionality: 'give a rule an unknown optionality',
    languageGone: 'leave out a language',
    capabilityDropped: 'leave out a capability',
    otherCountry: 'change the country',
  },
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

export const verbWords = (on: FaultTarget, kind: string): string =>
  (verbs[on] as Readonly<Record<string, string | undefined>>)[kind] ?? kind;

/** A rule that causes a fault once, with the usual values of its options. */
export function usualFault(on: FaultTarget, of: string, kind: string): FaultRule {
  const options = Object.entries(kindOf(on, kind)?.options ?? {}).map(([name, { usual }]) => [name, usual]);
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
  const all: [string, FaultOption][] = Object.entries(kindOf(on, fault.kind)?.options ?? {});
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
  `When ${placeWords(rule.on, rule.of)} ${happening[rule.on]}, ${verbWords(rule.on, rule.fault.kind)}${optionWords(rule)} ${oftenWords(rule)}`;
