import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { FaultTarget } from '#contract/faults.ts';
import type { Problem } from '#contract/problem.ts';
import { paymentForm, partyForm, subscriptionForm, type Form } from '#rules/field.ts';
import { allRules } from '#rules/merge.ts';
import { additionalData, nested } from '#rules/payload.ts';
import { systemClock } from '#server/clock.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { failures } from '#ui/failures.ts';
import { eventually } from './eventually.ts';
import { testConsole, testSandbox } from './console.ts';
import { batchBody, examples, pay, subscriptionBody, walk } from './guidedPath.ts';
import { labAt } from './lab.ts';

/**
 * The number of equal answers in a row after which nothing more is expected. It counts answers and not time, because on a
 * busy machine the servers stand still as the test does.
 */
const quiet = 12;
/** Time (ms) within which everything settles. */
const longest = 60_000;
/** What one fault led to: `did`, what the console said, and the requests to which something was done at the service. */
export interface Outcome {
  did: string;
  says: string;
  /** The calls or webhooks that the timeline shows of it. */
  kind: 'call' | 'service' | 'webhook';
  name: string;
  /** What they mention; '' for all. */
  id: string;
  /** The write by which it is done at the service. */
  write: 'createBatch' | 'putCreditor' | 'deleteCreditor' | 'createSubscription' | 'storeUserToken';
  /** How often it was done there; if absent, as often as the service took the write. */
  effects?: number;
}

/** A console that has walked the guided path with short patience and a clock of its own, and its sandbox's lab. */
export async function practice() {
  const patience = { headers: 2000, body: 2000, total: 6000 };
  let ahead = 0;
  let sandbox: Awaited<ReturnType<typeof testSandbox>> | undefined;
  const server = await testConsole({
    limits: { patience },
    injectedFaults: { take: (call) => sandbox?.takeFault(call) ?? '' },
    clock: { ...systemClock, now: () => Date.now() + ahead, steady: () => systemClock.steady() + ahead },
    upstreamUrl: async (url) => {
      sandbox = await testSandbox({
        webhookUrl: url + notificationsPath,
        webhookRetryDelay: 3_600_000, // no second attempt while the test runs
      });
      return sandbox.url;
    },
  });
  const walked = await walk(server);
  /** Moves the console's clock. */
  const pass = (ms: number) => (ahead += ms);
  return { ...walked, server, lab: labAt(sandbox!.url), pass };
}
export type Practice = Awaited<ReturnType<typeof practice>>;

/** Reads again and again until the same has been read for a while, with the same number of entries in the timeline. */
async function settled<T>({ server }: Practice, read: () => Promise<T>): Promise<T> {
  const all = async () => {
    const { data } = await server.done('getTimeline', { query: { kind: 'webhook', limit: '1' } });
    return { found: await read(), last: data[0]?.id };
  };
  let before = await all();
  const until = performance.now() + longest;
  for (let equal = 0; equal < quiet; await wait(20)) {
    if (performance.now() > until) throw new Error(`Does not settle: ${JSON.stringify(before)}`);
    const now = await all();
    equal = isDeepStrictEqual(now, before) ? equal + 1 : 0;
    before = now;
  }
  return before.found;
}

const cause = ({ code }: Problem) => failures[code].cause;

/** Pays under a fault of the paying call, and once more under the same key. */
async function payTwice({ server, lab, subscriptionId, rules }: Practice): Promise<Outcome> {
  const { ruleId } = await lab.set({ on: 'batch', times: 'always', fault: { kind: 'hold' } });
  const asked = async () => (await lab.rules()).find((rule) => rule.ruleId === ruleId)!.asked;
  const request = {
    body: await batchBody(server, subscriptionId, paymentForm(rules)),
    key: randomUUID(),
    query: { again: 'true' as const },
  };
  const first = await server.call('createBatch', request);
  await server.done('createBatch', request);
  await eventually(async () => expect(await asked()).toBeGreaterThan(0));
  return {
    did: first.ok ? 'pays' : 'pays, and again under the same key',
    says: first.ok ? 'The batch was posted.' : cause(first.problem),
    kind: 'service',
    name: 'createBatch',
    id: request.body.externalId,
    write: 'createBatch',
    effects: await asked(),
  };
}

/** What the console says of the message about a resource, once that settles. */
async function saidOf(practised: Practice, resourceId: string): Promise<string> {
  const read = async () => (await practised.server.done('getMessage', { params: { resourceId } })).data;
  const { state, status, detail } = await settled(practised, read);
  return `The message is ${state}${status && ` (${status})`}${detail && `: ${detail}`}.`;
}

/** Puts a creditor and waits for its answer, or until it is clear that there is none. */
async function putCreditor(practised: Practice): Promise<Outcome> {
  const { server, subscriptionId, rules } = practised;
  const form = partyForm(rules, 'Creditors');
  const creditorId = randomUUID();
  await server.done('putCreditor', {
    body: { data: { ...nested(form, examples(form)), subscriptionId, creditorId }, whilePending: 'send' },
  });
  const told = { kind: 'webhook', name: 'creditorputs', id: creditorId, write: 'putCreditor' } as const;
  return { did: 'puts a creditor', says: await saidOf(practised, creditorId), ...told };
}

/** Deletes a creditor and waits for the answer. */
async function deleteCreditor(practised: Practice): Promise<Outcome> {
  const { server, subscriptionId, creditorId } = practised;
  await server.done('deleteCreditor', { body: { data: { subscriptionId, creditorId } } });
  const told = { kind: 'webhook', name: 'creditordeletes', id: creditorId, write: 'deleteCreditor' } as const;
  return { did: 'deletes a creditor', says: await saidOf(practised, creditorId), ...told };
}

async function logIn({ server }: Practice): Promise<Outcome> {
  const { action, fields } = await server.done('startLogin', {});
  const form = new URLSearchParams({ ...fields, outcome: 'login', name: 'User', email: 'user@example.com' });
  const back = await fetch(action, { method: 'POST', body: form, redirect: 'manual' });
  const at = { did: 'logs in', kind: 'call', name: 'storeUserToken', id: '', write: 'storeUserToken' } as const;
  const location = back.headers.get('location');
  if (location === null) return { ...at, says: 'The page goes on waiting for the user to return.' };
  const answer = new URLSearchParams(new URL(location).hash.slice(1));
  const body = { token: answer.get('access_token') ?? '', state: answer.get('state') ?? '' };
  return { ...at, says: cause(await server.refused('storeUserToken', { body })) };
}

async function subscribe(practised: Practice): Promise<Outcome> {
  const { server, provider, rules } = practised;
  const { data } = await server.done('createSubscription', { body: subscriptionBody(provider, rules) });
  const status = await settled(practised, async () => (await server.done('getFacts')).subscription!.status);
  const { links } = (await server.done('getSubscription', { params: { subscriptionId: data.subscriptionId } })).data;
  const page = status === 'AwaitingAuthorisation' ? await (await fetch(links!.authorise!)).text() : '';
  return {
    did: 'subscribes',
    says: `The subscription is ${status}${page.includes('expired') ? '; its link has expired' : ''}.`,
    kind: 'webhook',
    name: 'subscriptionUpdated',
    id: data.subscriptionId,
    write: 'createSubscription',
  };
}

async function payAndFollow(practised: Practice): Promise<Outcome> {
  const { server, subscriptionId, rules } = practised;
  const batchId = await pay(server, subscriptionId, paymentForm(rules), undefined, true);
  const says = await settled(practised, async () => {
    const { data, error } = await server.done('getBatch', { params: { batchId } });
    const [first] = error?.detail ?? [];
    return `The batch is ${data.status}${first ? `; ${first.message}` : ''}.`;
  });
  return {
    did: 'pays and follows the batch',
    says,
    kind: 'service',
    name: 'getBatch',
    id: batchId,
    write: 'createBatch',
  };
}

async function download({ server, subscriptionId, rules }: Practice): Promise<Outcome> {
  const [file] = (await server.done('getFileFormats')).data;
  const form = paymentForm(rules, file!.specification.rules);
  const batchId = await pay(server, subscriptionId, form, file!.fileFormatId, true);
  const link = await eventually(async () => {
    const { links } = await server.done('getBatch', { params: { batchId } });
    expect(links?.paymentFile).toBeDefined();
    return links!.paymentFile!;
  });
  const refused = await server.refused('downloadPaymentFile', { params: { link } });
  return {
    did: 'pays by bank file and downloads it',
    says: cause(refused),
    kind: 'service',
    name: 'downloadPaymentFile',
    id: '',
    write: 'createBatch',
  };
}

/** How two forms differ, in words. */
function difference(before: Form, now: Form): string {
  const was = new Map(before.fields.map((field) => [field.id, field]));
  const is = new Map(now.fields.map((field) => [field.id, field]));
  const parts = [
    ...before.fields.flatMap(({ id, label }) => (is.has(id) ? [] : [`${label} is gone`])),
    ...now.fields.flatMap((field) => {
      const old = was.get(field.id);
      if (!old) return [`${field.label} is new${field.required ? ' and required' : ''}`];
      return [
        ...(field.required === old.required ? [] : [`${field.label} is ${field.required ? 'required' : 'optional'}`]),
        ...(field.regex !== old.regex ? [`${field.label} has another pattern`] : []),
        ...(field.label !== old.label ? [`${old.label} is named ${field.label}`] : []),
      ];
    }),
  ];
  return parts.join('; ') || 'as before';
}

/** Reads the definitions again, and sends what the form before allowed. */
async function reread({ server, provider, rules, pass }: Practice): Promise<Outcome> {
  pass(61_000); // Longer than the console keeps definitions.
  const { data: providers } = await server.done('getProviders');
  const now = providers.find(({ providerId }) => providerId === provider.providerId);
  const at = {
    did: 'reads the definitions and subscribes',
    kind: 'service',
    name: 'createSubscription',
    id: '',
    write: 'createSubscription',
  } as const;
  if (!now) return { ...at, says: 'The provider is not among those offered.' };
  const renewed = allRules(now, (await server.done('getLocalInstruments')).data);
  const form = subscriptionForm(rules);
  const required = { ...form, fields: form.fields.filter((field) => field.required) };
  const body = { data: { providerId: provider.providerId, additionalData: additionalData(form, examples(required)) } };
  const sent = await server.call('createSubscription', { body });
  return {
    ...at,
    says: `The form: ${difference(form, subscriptionForm(renewed))}. Required values of the form before: ${sent.ok ? 'accepted.' : cause(sent.problem)}`,
  };
}

/** What is done under the faults of each target. */
export const acts: Record<FaultTarget, (practised: Practice, kind: string) => Promise<Outcome>> = {
  call: payTwice,
  webhook: putCreditor,
  put: putCreditor,
  message: deleteCreditor,
  login: logIn,
  batch: (practised, kind) => (kind === 'fileLinkDead' ? download : payAndFollow)(practised),
  definition: reread,
  authorisation: subscribe,
};
