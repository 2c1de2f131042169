import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import {
  faultKinds,
  faultPlaces,
  serviceCalls,
  type FaultKind,
  type FaultOption,
  type FaultTarget,
} from '#contract/lab.ts';

const what: Record<FaultTarget, string> = {
  call: 'Calls of the service',
  webhook: 'Webhooks',
  put: 'Debtors and creditors that are put',
  login: 'The login of a user',
  authorisation: 'What awaits its user',
  batch: 'Batches',
  definition: 'Definitions',
};

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
    `### ${what[on]}: \`"on": "${on}"\``,
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

const text = `# The fault lab

The sandbox can let go wrong on purpose what goes wrong at a real service. Rules say what, to which call, webhook or
batch, and how often. They are set over HTTP at the sandbox's own address, which \`npm start\` prints; every call of the lab
carries the control token, which the sandbox's home page shows: \`Authorization: Bearer …\`.

| call | what it does |
| --- | --- |
| \`GET /sandbox/faults\` | lists the rules: \`{ "data": [rule, …] }\`, with \`ruleId\`, how often each was \`asked\` and \`happened\` |
| \`POST /sandbox/faults\` | sets a rule; 201 with \`{ "data": rule }\`, 400 with what is wrong with it |
| \`DELETE /sandbox/faults/{ruleId}\` | removes a rule; 204 |
| \`DELETE /sandbox/faults\` | stops all; 204. Connections that are held open are closed, delayed answers are sent |
| \`POST /sandbox/batches/{batchId}/step\` | sends a batch on to its next state; 409 if none follows by itself |
| \`GET /sandbox/webhooks\` | the latest 100 webhooks, newest first: \`webhookId\`, \`type\`, \`at\`, \`body\`, \`attempts\`, \`delivered\`, \`status\`, \`mark\` |
| \`POST /sandbox/webhooks/{webhookId}/again\` | sends a webhook again under its id, without the fault that it may have had; 202 |
| \`POST /sandbox/webhooks/again\` | \`{ "since": "2026-01-31T09:00:00Z" }\` sends all again that were not taken since then; 202 |
| \`GET /sandbox/webhooks/{webhookId}/signature\` | the signature that it would have now: \`baseString\`, \`how\` it is made, \`signature\` |
| \`POST /sandbox/webhooks/check\` | \`{ "id", "timestamp", "signature", "body" }\` of a webhook: the \`baseString\`, the right \`signature\` and the \`problems\` |
| \`GET /sandbox/receiver\` | the second receiver: \`{ "data": { "url" } }\`, null if there is none |
| \`PUT /sandbox/receiver\` | \`{ "url" }\` has all webhooks sent there as well, signed alike and tried again by themselves |
| \`DELETE /sandbox/receiver\` | takes the second receiver away |
| \`GET /sandbox/clock\` | the sandbox's time: \`{ "data": { "now", "offset", "still" } }\`, the offset in ms |
| \`PATCH /sandbox/clock\` | \`{ "move": 60000 }\` moves it by so many ms, forward or back; \`{ "still": true }\` stops it |
| \`DELETE /sandbox/clock\` | sets it to the machine's time |

A rule is \`on\` something, \`of\` one name or \`any\` (the default), and has a \`fault\`: its kind and options. It happens once,
or so many \`times\`, or \`always\`; with a \`probability\` from 0 to 1 and a \`seed\`, the same seed makes the same choices. Of
several rules for the same thing, the oldest that happens decides.

\`\`\`sh
curl -X POST "$SANDBOX/sandbox/faults" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{ "on": "call", "of": "createBatch", "fault": { "kind": "answerLost" } }'
\`\`\`

What the lab made says so in the header \`x-sandbox-fault: answerLost; rule=…\`, of an answer as of a webhook, and the
timeline of the console shows it. An answer that never comes has no header. Rules and the clock survive a restart; emptying
the sandbox takes both back. Tokens, links, consents, jobs and idempotency keys follow the sandbox's clock; rates and the
timestamps of webhooks do not, because callers and receivers have clocks of their own.

## The kinds of faults

${(Object.keys(faultKinds) as FaultTarget[]).map(sectionOf).join('\n')}
Faults of definitions last until they are stopped; \`times\` and \`probability\` say nothing there. The console keeps
definitions for a minute, so its forms show a change that much later, and the provider refuses by it at once.

## The calls

| name | call |
| --- | --- |
${calls.join('\n')}
`;

it('the document of the fault lab names what the lab can do', async () => {
  const file = 'docs/lab.md';
  const formatted = await format(text, { ...(await resolveConfig(file)), filepath: file });
  await expect(formatted).toMatchFileSnapshot(`../../${file}`);
});
