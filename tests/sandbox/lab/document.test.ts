import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import {
  faultKinds,
  faultPlaces,
  faultTargets,
  serviceCalls,
  type FaultKind,
  type FaultOption,
  type FaultTarget,
} from '#contract/lab.ts';
import { magicValues } from '#contract/magic.ts';
import { labCalls, labPath, type LabCallName } from '#server/sandbox/lab/labCalls.ts';

const optionOf = ([name, option]: [string, FaultOption]): string =>
  option.type === 'text'
    ? `\`${name}\`: ${option.label} (\`"${option.usual}"\`)`
    : `\`${name}\`: ${option.label}, ${option.least} to ${option.most}${option.unit ? ` ${option.unit}` : ''} (\`${option.usual}\`)`;

const rows = (kinds: Record<string, FaultKind>) =>
  Object.entries(kinds).map(
    ([name, { says, options = {} }]) =>
      `| \`${name}\` | ${says} | ${Object.entries(options).map(optionOf).join('; ').replaceAll('|', '\\|')} |`,
  );

const sectionOf = (on: FaultTarget): string => {
  const places = on === 'call' ? 'the names below' : faultPlaces[on].map((name) => `\`${name}\``).join(', ');
  return [
    `### ${faultTargets[on]}: \`"on": "${on}"\``,
    places === '' ? '' : `\`of\`: \`any\`, ${places}.`,
    '',
    '| kind | what happens | options (default) |',
    '| --- | --- | --- |',
    ...rows(faultKinds[on]),
    '',
  ].join('\n');
};

const calls = Object.entries(serviceCalls).map(
  ([name, { methods, path }]) => `| \`${name}\` | \`${methods.join(', ')} ${path}\` |`,
);

const takes: Partial<Record<LabCallName, string>> = {
  addRule: '`{ "on", "of", "fault", "times", "probability", "seed" }`, as below',
  sendAllAgain: '`{ "since": "2026-01-31T09:00:00Z" }`',
  checkWebhook: '`{ "id", "timestamp", "signature", "body" }`',
  setReceiver: '`{ "url" }`',
  moveClock: '`{ "move": 60000, "still": true }`',
};

const routes = (Object.keys(labCalls) as LabCallName[]).map(
  (name) =>
    `| \`${labCalls[name].method.toUpperCase()} ${labPath(name)}\` | ${takes[name] ?? ''} | ${labCalls[name].says} |`,
);

const magicRows = magicValues.map(({ value, where, says }) => `| \`${value}\` | ${where} | ${says} |`);

const text = `# The fault lab

The sandbox can let go wrong on purpose what goes wrong at a real service. Rules say what, to which call, webhook or
batch, and how often. They are set over HTTP at the sandbox's own address, which \`npm start\` prints; every call of the lab
carries the control token, which the sandbox's home page shows: \`Authorization: Bearer …\`.

| call | what it takes | what it does |
| --- | --- | --- |
${routes.join('\n')}

Answers are \`{ "data": … }\`; a refusal is a problem with what is wrong. \`GET /sandbox/openapi.json\`, which takes no token,
describes all calls with their shapes.

A rule is \`on\` something, \`of\` one name or \`any\` (the default), and has a \`fault\`: its kind and options. It happens once,
or so many \`times\`, or \`always\`; with a \`probability\` from 0 to 1 and a \`seed\`, the same seed makes the same choices. Of
several rules for the same thing, the oldest that happens decides.

\`\`\`sh
curl -X POST "$SANDBOX/sandbox/faults" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{ "on": "call", "of": "createBatch", "fault": { "kind": "answerLost" } }'
\`\`\`

What the lab made says so in the header \`x-sandbox-fault: answerLost; rule=…\`, of an answer as of a webhook, and the
timeline of the console shows it. An answer that never comes has no header: of those, the embedded sandbox tells its
console. [faults.md](faults.md) says
what the console says to each fault. Rules and the clock survive a restart; emptying
the sandbox takes both back. Tokens, links, consents, jobs and idempotency keys follow the sandbox's clock; rates and the
timestamps of webhooks do not, because callers and receivers have clocks of their own.

## The kinds of faults

${(Object.keys(faultKinds) as FaultTarget[]).map(sectionOf).join('\n')}
Faults of definitions last until they are stopped; \`times\` and \`probability\` say nothing there. The console keeps
definitions for a minute, so its forms show a change that much later, and the provider refuses by it at once.

## Magic values

These cause the same from any client, without a rule. Words stand for themselves, in upper or lower case. What
one of them has changed says so in the header as well, with \`rule=name:…\` or \`rule=amount:…\`; a rule that fits decides
instead. An amount lets its fault happen once for each idempotency key, so that the repeat shows what was done.
Subscriptions to the British provider Nettlebrook Payments are rejected, those to Marrowby Clearing stay pending.

A word in a company's name changes the definitions by which its subscriptions and messages are checked, and which it is
answered if it reads them with its token. Definitions that are read without a token, as by the console, are as they were:
so a company meets a provider that has changed its rules since.

| value | where | what it causes |
| --- | --- | --- |
${magicRows.join('\n')}

## The calls

| name | call |
| --- | --- |
${calls.join('\n')}
`;

it('the document of the fault lab names what the lab can do', async () => {
  const file = 'docs/lab.md';
  const formatted = await format(text, { ...(await resolveConfig(file)), filepath: file });
  await expect(formatted).toMatchFileSnapshot(`../../../${file}`);
});
