import { jsonIn } from '#contract/json.ts';
import { member, own } from '#contract/member.ts';
import { faultKinds, type FaultKind } from '#contract/faults.ts';
import { operationAt, serviceCall, type ServiceOperation } from '#contract/serviceCalls.ts';
import type { KeptRule } from '#contract/controlShapes.ts';
import type { TestRunner } from '#contract/exports.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { faultMarkOf, faultOf } from '#rules/timeline.ts';
import { Failure } from '#server/failure.ts';
import type { Collection, CollectionRequest } from './collection.ts';
import { baseStringLines } from './scripts.ts';

/** A rule as it is set, by default once. */
interface Rule {
  on: string;
  of: string;
  fault: { kind: string };
}

/** What a test repeats. */
export interface Repeated {
  entry: TimelineEntry;
  operation: ServiceOperation;
  /** The calls before it, and itself as the last one. */
  collection: Collection;
  /** The rule by which the lab caused its fault; null if nothing or a value of the call caused it. */
  rule: Rule | null;
  /** The console's id at the identity provider. */
  clientId: string;
}

/** Faults under which a caller waits for an answer that does not come while the clock stands still. */
const waiting: readonly string[] = ['noAnswer', 'noBody'];
const late: readonly string[] = ['latency', 'slow'];

/** The options of a fault that its response shows. */
const shown: Readonly<Record<string, (entry: TimelineEntry) => object>> = {
  status: ({ status }) => ({ status }),
  html: ({ status }) => ({ status }),
  tooMany: ({ response }) => ({ retryAfter: Number(response.headers['retry-after']) }),
  tooManyUntil: () => ({}),
  redirect: ({ response }) => ({ to: response.headers['location'] }),
  latency: ({ ms }) => ({ ms: Math.round(ms) }),
  slow: ({ ms }) => ({ ms: Math.round(ms) }),
};

/**
 * Returns the rule that sets the fault of a call again: the lab's, or, if that is gone, what the response shows of it; null if no
 * rule caused one. Throws Failure if nothing shows it.
 */
export function faultRuleOf(
  entry: TimelineEntry,
  operation: ServiceOperation,
  rules: readonly KeptRule[],
): Rule | null {
  const kind = faultOf(entry);
  const [, ruleId = ''] = /rule=(.*)$/.exec(faultMarkOf(entry)) ?? [];
  if (kind === '' || /^(name|amount):/.test(ruleId)) return null;
  const kept = rules.find((rule) => rule.ruleId === ruleId);
  if (kept) return { on: kept.on, of: kept.of, fault: kept.fault };
  const known = member<FaultKind>(faultKinds.call, kind);
  const options = member(shown, kind)?.(entry) ?? {};
  if (!known || (known.options && !own(shown, kind)))
    throw new Failure('invalid-request', `The rule of its fault, ${kind}, was removed, and no response shows it.`);
  return { on: 'call', of: operation, fault: { kind, ...options } };
}

/** A value as code; names without quotes where they need none. No string has a line break as it is. */
const code = (value: unknown): string => JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z]\w*)":/gm, '$1$2:');
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** A body as code: an object, where its text is what JSON.stringify makes of it, so that it can be read and changed. */
function bodyCode(body: string): string {
  const json = jsonIn(body);
  return json !== undefined && JSON.stringify(json) === body ? `JSON.stringify(${code(json)})` : JSON.stringify(body);
}

/** The address below the sandbox's: the operation's path in the protocol, whatever the service's address began with. */
function addressOf({ method, url }: CollectionRequest): string {
  const address = url.replace(/^\{\{\w+\}\}/, '');
  const operation = operationAt(method, address.replace(/\{\{(\w+)\}\}/g, '$1'));
  const [begin = ''] = operation ? serviceCall(operation).path.split('{') : [];
  return address.slice(Math.max(0, address.indexOf(begin)));
}

function requestCode(request: CollectionRequest): string {
  const { method, headers, body, signedWith, made, learned } = request;
  const lines = [
    `method: ${code(method)},`,
    `path: ${code(addressOf(request))},`,
    `headers: ${code(Object.fromEntries(headers))},`,
    ...(body === '' ? [] : [`body: ${bodyCode(body)},`]),
    ...(signedWith === '' ? [] : [`signedWith: ${code(signedWith)},`]),
    ...(made.length === 0 ? [] : [`made: ${JSON.stringify(made)},`]),
    ...(learned.length === 0 ? [] : [`learned: ${JSON.stringify(learned.map(({ variable, path }) => [variable, path]))},`]), // prettier-ignore
  ];
  return `{\n  ${indented(lines.join('\n'), '  ')}\n}`;
}

const nameIn = ({ name }: CollectionRequest): string => name.replace(/^\d+ /, '');

/** Sends a request of the file, fills in what is known, and keeps what its answer gives. */
const send = [
  '/** Sends a request: {{name}} stands for a value of `known`. Throws if no response arrives. */',
  'async function send({ method, path, headers, body, signedWith, made = [], learned = [] }, wait = 10_000) {',
  "  for (const name of ['nonce', 'interactionId']) known[name] = randomUUID();",
  '  for (const name of made) known[name] ??= randomUUID();',
  '  const filled = (text) => text.replace(/\\{\\{(\\w+)\\}\\}/g, (_, name) => known[name]);',
  '  const [url, text] = [sandbox.url + filled(path), body && filled(body)];',
  '  if (signedWith) known.signature = signatureOf({ method, url, body: text, nonce: known.nonce }, known[signedWith]);',
  '  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)]));',
  '  const given = new AbortController();',
  '  const timer = setTimeout(() => given.abort(), wait);',
  "  const request = { method, headers: sent, body: text, redirect: 'manual', signal: given.signal };",
  '  const response = await sandbox.fetch(url, request);',
  '  const answer = await response.text().finally(() => clearTimeout(timer));',
  '  for (const [name, members] of learned)',
  '    known[name] = members.reduce((value, member) => value?.[member], JSON.parse(answer));',
  '  return response.status;',
  '}',
];

const signatureOf = [
  '/** Signs a request (HMAC-SHA1 over its base string). */',
  'function signatureOf(request, key) {',
  "  const base64 = (text) => Buffer.from(text).toString('base64');",
  ...baseStringLines.map((line) => `  ${line}`),
  "  return createHmac('sha1', `${key}&null`).update(baseString({ ...request, base64 })).digest('base64');",
  '}',
];

/** Makes what the call needs; who has to approve approves. */
const prepares = [
  "  await sandbox.faults.add({ on: 'authorisation', fault: { kind: 'approve', ms: 0 }, times: 'always' });",
  '  for (const request of before) {',
  '    assert.ok((await send(request)) < 300, request.path);',
  '    known.idempotencyKey = randomUUID();',
  '    await sandbox.clock.advance(5000);',
  '  }',
  '  await sandbox.faults.clear();',
];

const logIn = (clientId: string) => [
  '/** Logs in at the identity provider of the sandbox. */',
  'async function logIn() {',
  "  const user = { outcome: 'login', name: 'Sandbox User', email: 'user@example.com' };",
  `  const asked = { response_type: 'token', scope: 'openid', client_id: ${JSON.stringify(clientId)}, redirect_uri: 'http://127.0.0.1/' };`,
  '  const body = new URLSearchParams({ ...user, ...asked });',
  "  const { headers } = await sandbox.fetch('/idp/authorize', { method: 'POST', body, redirect: 'manual' });",
  "  return new URLSearchParams(new URL(headers.get('location')).hash.slice(1)).get('access_token');",
  '}',
];

/** What is expected of the call, and of its repeat under the same key where its outcome was unknown. */
function expectations({ entry, operation }: Repeated): string[] {
  const { status } = entry;
  const fault = faultOf(entry);
  const isLost = status === 0;
  const isWaiting = waiting.includes(fault) || (late.includes(fault) && isLost);
  const sent = `send(${operation}${isWaiting ? ', 500' : ''})`;
  const isUnknown = isLost || status >= 500;
  const inTime = late.includes(fault) && !isLost;
  return [
    '  // Call your program here instead, to see what it makes of it.',
    ...(inTime
      ? [
          '  let isAnswered = false;',
          `  const answered = ${sent}.finally(() => (isAnswered = true));`,
          '  while (!isAnswered) await pause(20).then(() => sandbox.clock.advance(1000));',
          `  assert.equal(await answered, ${status});`,
        ]
      : [isLost ? `  await assert.rejects(${sent});` : `  assert.equal(await ${sent}, ${status});`]),
    ...(fault === '' ? [] : [`  assert.equal(sandbox.calls().at(-1).fault, ${JSON.stringify(fault)});`]),
    ...(isUnknown
      ? [
          '',
          '  // Its outcome is unknown: the same key finds out, and does nothing twice.',
          `  assert.ok((await send(${operation})) < 300);`,
        ]
      : []),
    ...(operation === 'createBatch'
      ? [`  assert.equal((await sandbox.batches()).length, ${isUnknown || status < 300 ? 1 : 0});`]
      : []),
  ];
}

/** Why the recorded call had this outcome, in words. */
const outcomeOf = ({ entry }: Repeated): string => {
  const fault = faultOf(entry);
  const answer = entry.status === 0 ? 'no response' : `status ${entry.status}`;
  return fault === '' ? answer : `${answer}, by the fault ${fault}`;
};

const runners: Readonly<Record<TestRunner, string>> = { vitest: 'vitest', node: 'node:test' };

/** The name of a call's test as a file. */
export const testName = ({ operation, entry }: Repeated): string =>
  `${[operation, faultOf(entry) || (entry.status >= 400 ? entry.status : '')].filter(Boolean).join('-')}.test.mjs`;

/**
 * Returns a test that repeats a recorded call in a sandbox of its own (docs/sandbox.md, "In your tests"): first the calls that it
 * needs, then itself with its fault. Needs the package alone.
 */
export function testFileOf(repeated: Repeated, runner: TestRunner): string {
  const { entry, operation, collection, rule } = repeated;
  const requests = [...collection.requests];
  const [target, way] = [requests.at(-1), requests.slice(0, -1)];
  if (!target) throw new Error('A test without a call');
  const isSigned = requests.some(({ signedWith }) => signedWith !== '');
  const logsIn = collection.given.includes('userToken');
  const fault = faultOf(entry);
  const slow = late.includes(fault) && entry.status !== 0;
  const day = entry.at.slice(0, 10);
  const [, executed = `${day}T00:00:00Z`] =
    /"requestedExecutionDateTime"\s*:\s*"([^"]*)"/.exec(entry.request.body) ?? [];
  return [
    `// Made by the Payments Out Console of a call that it recorded on ${day}.`,
    "import assert from 'node:assert/strict';",
    `import { ${isSigned ? 'createHmac, ' : ''}randomUUID } from 'node:crypto';`,
    ...(slow ? ["import { setTimeout as pause } from 'node:timers/promises';"] : []),
    `import { afterEach, beforeEach, it } from '${runners[runner]}';`,
    "import { createSandbox } from 'payments-out-console/sandbox';",
    '',
    'let sandbox;',
    'let known;',
    '',
    'beforeEach(async () => {',
    `  sandbox = await createSandbox({ seed: 1, now: '${day}T08:00:00.000Z' });`,
    `  known = { ...sandbox.credentials, idempotencyKey: randomUUID(), executionDate: ${JSON.stringify(executed)} };`,
    ...(logsIn ? ['  known.userToken = await logIn();'] : []),
    ...(way.length === 0 ? [] : prepares),
    '});',
    'afterEach(() => sandbox.close());',
    '',
    `it(${JSON.stringify(`${operation}: ${outcomeOf(repeated)}`)}, async () => {`,
    ...(rule ? [`  await sandbox.faults.add(${indented(code(rule), '  ')});`, ''] : []),
    ...expectations(repeated),
    '});',
    '',
    `/** The recorded call: ${entry.method} ${addressOf(target)} */`,
    `const ${operation} = ${requestCode(target)};`,
    '',
    ...(way.length === 0
      ? []
      : [
          '/** What it needs, in this order. */',
          `const before = [\n  ${way.map((each) => `// ${nameIn(each)}\n  ${indented(requestCode(each), '  ')},`).join('\n  ')}\n];`,
          '',
        ]),
    ...send,
    '',
    ...(isSigned ? [...signatureOf, ''] : []),
    ...(logsIn ? [...logIn(repeated.clientId), ''] : []),
  ].join('\n');
}
