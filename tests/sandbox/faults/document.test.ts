import { expect, it } from 'vitest';
import {
  faultKinds,
  faultPlaces,
  faultTargets,
  type FaultKind,
  type FaultOption,
  type FaultTarget,
} from '#contract/faults.ts';
import { magicValues } from '#contract/magic.ts';
import { controlCalls, controlPath, type ControlCallName } from '#contract/controlCalls.ts';
import { faultTitle } from '#rules/lab.ts';
import { rowsOf, withRows } from '#tests/support/documentTables.ts';

const file = 'docs/sandbox.md';
const targets = Object.keys(faultKinds) as FaultTarget[]; // its own keys

const optionOf = ([name, option]: [string, FaultOption]): string =>
  option.type === 'text'
    ? `\`${name}\`: ${option.label} (\`"${option.usual}"\`)`
    : `\`${name}\`: ${option.label}, ${option.least} to ${option.most}${option.unit ? ` ${option.unit}` : ''} (\`${option.usual}\`)`;

const placesOf = (on: FaultTarget): string => faultPlaces[on].map((name) => `\`${name}\``).join(', ');

/** What the console reports is written by tests/server/endToEnd/faultTable.long.test.ts. */
const reports = new Map(rowsOf(file, 'faults').map(([fault = '', , , , report = '']) => [fault, report]));

const faultRow = (on: FaultTarget, [kind, { title, says, options = {} }]: [string, FaultKind]): string[] => {
  const fault = `${on}: \`${kind}\``;
  const given = Object.entries(options).map(optionOf).join('; ').replaceAll('|', '\\|');
  return [fault, title, says, given, reports.get(fault) ?? ''];
};

const takes: Partial<Record<ControlCallName, string>> = {
  addRule: '`{ "on", "of", "fault", "times", "probability", "seed" }`, see [Rules](#rules)',
  sendAllAgain: '`{ "since": "2026-01-31T09:00:00Z" }`',
  checkWebhook: '`{ "id", "timestamp", "signature", "body" }`',
  setReceiver: '`{ "url" }`',
  sendWebhook: '`{ "type", "data", "subscriptionId" }`',
  prepareSituation: '`{ "situation": "payable" }`',
  moveClock: '`{ "move": 60000, "still": true }`',
};

const tables = {
  'lab calls': (Object.keys(controlCalls) as ControlCallName[]).map((name) => [
    `\`${controlCalls[name].method.toUpperCase()} ${controlPath(name)}\``,
    takes[name] ?? '',
    controlCalls[name].says,
  ]),
  targets: targets.map((on) => [`\`${on}\``, faultTargets[on], placesOf(on)]),
  faults: targets.flatMap((on) => Object.entries<FaultKind>(faultKinds[on]).map((kind) => faultRow(on, kind))),
  'magic values': magicValues.map(({ value, where, kind, says }) => [`\`${value}\``, where, faultTitle(kind), says]),
};

it('the document of the fault lab lists targets, faults, magic values and calls', async () => {
  await expect(await withRows(file, tables)).toMatchFileSnapshot(`../../../${file}`);
});

it('a fault has one name, which no other fault has (behaviour 10.20.4)', () => {
  const all = targets.flatMap((on) =>
    Object.entries<FaultKind>(faultKinds[on]).map(([kind, { title }]) => ({ kind, title })),
  );
  const kindsByTitle = new Map(all.map(({ kind, title }) => [title, kind]));
  for (const { kind, title } of all) {
    expect(faultTitle(kind)).toBe(title);
    expect(kindsByTitle.get(title)).toBe(kind);
  }
});
