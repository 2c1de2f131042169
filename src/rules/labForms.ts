import { faultKinds, type FaultKind, type FaultOption, type FaultTarget } from '#contract/faults.ts';
import type { Body } from '#contract/shapes.ts';
import type { FaultRule } from '#contract/controlShapes.ts';
import { own } from '#contract/member.ts';
import { lengthOf } from '#contract/text.ts';
import type { FieldError } from './fieldError.ts';
import { happeningWords, placesOf, placeWords, routeOf } from './faultSentence.ts';
import type { Field, Form, Values } from './field.ts';
import { faultKindOf } from './lab.ts';

/** A field of one of the lab's own forms. */
const labField = (id: string, label: string, more: Partial<Field> = {}): Field => ({
  id,
  label,
  description: '',
  example: '',
  required: true,
  kind: 'text',
  options: [],
  regex: '',
  errorMessage: `${label}: enter a value`,
  paths: [id],
  ...more,
});

const choice = (id: string, label: string, options: Field['options'], more: Partial<Field> = {}) =>
  labField(id, label, { kind: 'choice', options, errorMessage: `${label}: choose one`, ...more });

/** The target and the place in the value of the field `place`, such as `call createBatch`. */
function placeIn({ place = '' }: Values): { on: FaultTarget; of: string } {
  const [on = '', of = 'any'] = place.split(' ');
  return own(faultKinds, on) ? { on, of } : { on: 'call', of: 'any' };
}
const kindsOf = (on: FaultTarget): [string, FaultKind][] => Object.entries<FaultKind>(faultKinds[on]);
const optionsOf = (values: Values): [string, FaultOption][] =>
  Object.entries(faultKindOf(placeIn(values).on, values['kind'] ?? '')?.options ?? {});

/** All places of all targets. */
const places = (Object.keys(faultKinds) as FaultTarget[]).flatMap((on) =>
  // its own keys
  placesOf(on).map((of) => {
    const route = routeOf(on, of);
    return { value: `${on} ${of}`, label: `${placeWords(on, of)}${route && `: ${route}`}` };
  }),
);

/** The field id of an option; the prefix keeps it apart from other fields. */
const optionId = (name: string): string => `option.${name}`;

function optionField([name, option]: [string, FaultOption]): Field {
  const { label } = option;
  if (option.type === 'number')
    return labField(optionId(name), option.unit ? `${label} (${option.unit})` : label, {
      description: `${option.least} to ${option.most}`,
    });
  const words = Object.entries(option.words ?? {}).map(([value, means]) => ({ value, label: means }));
  return words.length > 0
    ? choice(optionId(name), label, words)
    : labField(optionId(name), label, { required: false, longest: option.longest });
}

const often = [
  { value: 'once', label: 'the next time' },
  { value: 'times', label: 'a number of times' },
  { value: 'always', label: 'always' },
] as const;

const mostTimes = 100_000;

const oftenFields = ({ often: chosen, chance }: Values): Field[] => [
  choice('often', 'How often', often),
  ...(chosen === 'times' ? [labField('times', 'Number of times', { description: `1 to ${mostTimes}` })] : []),
  labField('chance', 'With a probability', { kind: 'boolean', required: false }),
  ...(chance === 'true'
    ? [
        labField('probability', 'Probability', { description: 'Above 0, up to 1; 1 is every time' }),
        labField('seed', 'Seed', { description: 'The same seed makes the same choices' }),
      ]
    : []),
];

/** The form of a rule: its place, the fault with its options, and how often it happens. */
function ruleFormOf(values: Values): Form {
  const { on } = placeIn(values);
  return {
    fields: [
      choice('place', 'Operation', places),
      choice(
        'kind',
        'Fault',
        kindsOf(on).map(([value, { title }]) => ({ value, label: title })),
        { description: faultKindOf(on, values['kind'] ?? '')?.says ?? '' },
      ),
      ...optionsOf(values).map(optionField),
      ...(on === 'definition' ? [] : oftenFields(values)),
    ],
  };
}

const firstKind = (on: FaultTarget): string => kindsOf(on)[0]?.[0] ?? '';
const usual = (values: Values): Values => ({
  ...values,
  ...Object.fromEntries(optionsOf(values).map(([name, option]) => [optionId(name), String(option.usual)])),
});

/** Parses a whole number within these limits; undefined if the text is not one. */
function wholeIn(text: string, least: number, most: number): number | undefined {
  const number = Number(text);
  return /^-?\d{1,15}$/.test(text.trim()) && number >= least && number <= most ? number : undefined;
}

function errorOf({ id, label, kind, options, errorMessage, longest }: Field, values: Values): FieldError | undefined {
  const value = values[id] ?? '';
  const wrong = (message: string) => ({ id, message });
  if (kind === 'choice') return options.some((each) => each.value === value) ? undefined : wrong(errorMessage);
  const option = optionsOf(values).find(([name]) => optionId(name) === id)?.[1];
  if (option?.type === 'text' && option.form && !option.form.pattern.test(value))
    return wrong(`${label}: enter ${option.form.says}`);
  if (option?.type === 'number' && wholeIn(value, option.least, option.most) === undefined)
    return wrong(`${label}: enter a whole number from ${option.least} to ${option.most}`);
  if (longest !== undefined && lengthOf(value) > longest) return wrong(`${label}: at most ${longest} characters`);
  if (id === 'times' && wholeIn(value, 1, mostTimes) === undefined)
    return wrong(`${label}: enter a whole number from 1 to ${mostTimes}`);
  if (id === 'probability' && !(/^\d*\.?\d+$/.test(value.trim()) && Number(value) > 0 && Number(value) <= 1))
    return wrong(`${label}: enter a number above 0, up to 1, such as 0.5`);
  if (id === 'seed' && wholeIn(value, -1e9, 1e9) === undefined) return wrong(`${label}: enter a whole number`);
  return undefined;
}

/** Caches forms, so that the same fields are the same object and the page does not render them anew. */
const forms = new Map<string, Form>();

function ruleForm(values: Values): Form {
  const { kind, often, chance } = values;
  const key = JSON.stringify([placeIn(values).on, kind, often, chance]);
  const form = forms.get(key) ?? ruleFormOf(values);
  forms.set(key, form);
  return form;
}

/** What follows the place in the sentence of the form: `is called`. */
export const happeningIn = (values: Values): string => happeningWords(placeIn(values).on);

/** The form that sets a rule (docs/sandbox.md), built from the table in contract/faults.ts. */
export const faultForm = {
  formOf: ruleForm,
  first: usual({
    place: 'call createBatch',
    kind: 'answerLost',
    often: 'once',
    times: '2',
    chance: '',
    probability: '0.5',
    seed: '1',
  }),
  changed(values: Values, field: string, value: string): Values {
    const next = { ...values, [field]: value };
    const { on } = placeIn(next);
    if (field === 'place' && on !== placeIn(values).on) return usual({ ...next, kind: firstKind(on) });
    return field === 'kind' ? usual(next) : next;
  },
  check: (values: Values): FieldError[] => ruleForm(values).fields.flatMap((field) => errorOf(field, values) ?? []),
};

/** Converts the values of a valid form to a rule. */
export function ruleOf(values: Values): FaultRule {
  const { on, of } = placeIn(values);
  const options = optionsOf(values).map(([name, { type }]) => {
    const value = values[optionId(name)] ?? '';
    return [name, type === 'number' ? Number(value) : value];
  });
  const { kind, often, times, chance, probability, seed } = values;
  const number = { always: 'always', times: Number(times) }[often ?? ''] ?? 1;
  const isChance = chance === 'true' && Number(probability) !== 1;
  return {
    on,
    of,
    fault: { kind, ...(Object.fromEntries(options) as object) },
    ...(on === 'definition' ? { times: 'always' } : { times: number }),
    ...(on !== 'definition' && isChance
      ? { probability: Number(probability), seed: Number(seed) }
      : { probability: 1, seed: 1 }),
  } as FaultRule; // the form has only valid words, and check found no error
}

const unitsOf = { s: 1000, min: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 } as const;
const unitNames = { s: 'seconds', min: 'minutes', h: 'hours', d: 'days' } as const;
/** Maximum change of the clock at once (ms). */
const farthest = 10 * 365 * unitsOf.d;

const how = choice('how', 'Move it', [
  { value: 'by', label: 'By' },
  { value: 'to', label: 'To' },
]);
const units = Object.entries(unitNames).map(([value, label]) => ({ value, label }));
const clockBy: Form = {
  fields: [
    how,
    labField('amount', 'Amount', { description: 'A whole number; a negative one moves it back' }),
    choice('unit', 'Unit', units),
  ],
};
const time = (label: string, description: string): Field =>
  labField('at', label, { description, example: '2026-01-31T09:00:00Z' });
const clockTo: Form = { fields: [how, time('Time', 'With its zone; Z is UTC')] };

const isTime = (text = ''): boolean =>
  /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text.trim()) && Date.parse(text) > 0;
const timeError = ({ at }: Values): FieldError[] =>
  isTime(at) ? [] : [{ id: 'at', message: 'Enter a time such as 2026-01-31T09:00:00Z' }];
const unitOf = ({ unit = '' }: Values): number => unitsOf[unit as keyof typeof unitsOf]; // the form offers no other
const simply = (values: Values, field: string, value: string): Values => ({ ...values, [field]: value });

/** The form that moves the clock, by an amount or to a time. */
export const clockForm = {
  formOf: ({ how: chosen }: Values): Form => (chosen === 'to' ? clockTo : clockBy),
  first: { how: 'by', amount: '20', unit: 'min', at: '' } as Values,
  changed: simply,
  check(values: Values): FieldError[] {
    if (values['how'] === 'to') return timeError(values);
    const most = Math.floor(farthest / unitOf(values));
    return wholeIn(values['amount'] ?? '', -most, most) === undefined
      ? [{ id: 'amount', message: `Amount: enter a whole number from -${most} to ${most}` }]
      : [];
  },
};

/** The change (ms) that a valid form makes to the clock, which is at `now` (ISO time). */
export const movedBy = (values: Values, now: string): number =>
  values['how'] === 'to' ? Date.parse(values['at'] ?? '') - Date.parse(now) : Number(values['amount']) * unitOf(values);

const receiver: Form = {
  fields: [labField('url', 'Address', { description: 'Of your app', example: 'http://127.0.0.1:8080/webhooks' })],
};

const isAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && text.length <= 1000;

/** The form of the second receiver of webhooks. */
export const receiverForm = {
  formOf: () => receiver,
  first: { url: '' } as Values,
  changed: simply,
  check: ({ url = '' }: Values): FieldError[] =>
    isAddress(url.trim()) ? [] : [{ id: 'url', message: 'Address: enter an http or https address' }],
};

const since: Form = { fields: [time('Since', 'Webhooks not accepted since then are sent again')] };

/** The form that resends webhooks; its initial time is one hour before `now` (ms). */
export const sinceForm = (now: number) => ({
  formOf: () => since,
  first: { at: `${new Date(now - unitsOf.h).toISOString().slice(0, 19)}Z` } as Values,
  changed: simply,
  check: timeError,
});

const received: Form = {
  fields: [
    labField('id', 'webhook-id'),
    labField('timestamp', 'webhook-timestamp', { description: 'Seconds since 1970' }),
    labField('signature', 'webhook-signature'),
    labField('body', 'Body', { description: 'As received, byte for byte', lines: 4 }),
  ],
};

/** The form that verifies a received webhook. The lab, not the form, reports missing headers. */
export const checkingForm = {
  formOf: () => received,
  first: { id: '', timestamp: '', signature: '', body: '' } as Values,
  changed: simply,
  check: ({ body = '' }: Values): FieldError[] =>
    body === '' ? [{ id: 'body', message: 'Body: paste the body of the webhook' }] : [],
};

/** The request body of a form for a received webhook. */
export const receivedOf = ({ id = '', timestamp = '', signature = '', body = '' }: Values): Body<'checkWebhook'> => ({
  id: id.trim(),
  timestamp: timestamp.trim(),
  signature: signature.trim(),
  body,
});
