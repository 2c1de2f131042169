import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor, waitFor, type AnyActorRef, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import type * as RecordEvents from '#app/client/recordEvents.ts';
import { previewOf } from '#app/journey/inspector/OfStep.tsx';
import { shownBefore } from '#app/journey/inspector/shownRequest.ts';
import type { JourneyCode } from '#machines/console.ts';
import type { CallName } from '#contract/calls.ts';
import { header } from '#contract/requests/headers.ts';
import type { FormState } from '#machines/lib/form.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { stateOf } from '#machines/lib/state.ts';
import type { apiAt, Request } from '#tests/support/api.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { companyBody } from '#tests/support/bodies.ts';
import { examples, onboard, subscribe } from '#tests/support/guidedPath.ts';
import { listening } from '#tests/support/listen.ts';
import { notificationsPath } from '#server/http/paths.ts';

/** The browser's storage, in which the page stores idempotency keys. */
vi.hoisted(() => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', storage);
});

/** There is no event stream: the effects poll at their intervals. */
vi.mock(
  '#app/client/recordEvents.ts',
  () => ({ subscribeToRecord: () => () => undefined }) satisfies Partial<typeof RecordEvents>,
);

let server: ReturnType<typeof apiAt>;
vi.mock('#app/client/client.ts', () => ({
  async call(name: CallName, asked: Request<CallName>) {
    const reply = await server.call(name, asked);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- problems are what `call` rejects with
    if (!reply.ok) throw reply.problem;
    return reply.answer;
  },
}));

const { account, company, dataset, organisation, accessToken } = await import('#app/effects/onboarding.ts');
const { bankSubscription, subscription } = await import('#app/effects/subscription.ts');
const { creditor, creditorQuery, debtor, debtorQuery } = await import('#app/effects/party.ts');
const { electronicPayment, filePayment } = await import('#app/effects/payment.ts');
const { authorisation } = await import('#app/effects/subscription.ts');
const { bankFiles, consumerHealth, messagingHealth, providers } = await import('#app/effects/lookup.ts');

interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The members of the journeys' contexts that these tests read. */
interface Known extends FormState {
  providers: { providerId: string; name: string }[];
  parties: Record<string, string>[];
  fileFormats: { fileFormatId: string }[];
  debtors: { debtorId: string }[];
  invoices: { invoiceId: string; payment?: unknown }[];
}
const contextOf = (actor: AnyActorRef) => (actor.getSnapshot() as AnyMachineSnapshot).context as Known; // of those journeys

/** The requests that the sandbox received, in order. */
let received: Received[] = [];

/** A console whose sandbox is behind a proxy that records its requests. */
async function between() {
  let sandbox = '';
  const url = await listening((asking, response) => {
    void (async () => {
      const { method = '', url: path = '', headers } = asking;
      const body = await buffer(asking);
      received.push({ method, url: path, headers, body: body.toString() });
      const forward = request(sandbox + path, { method, headers, agent: false }).end(body);
      const [reply] = (await once(forward, 'response')) as [IncomingMessage]; // node's argument of 'response'
      response.writeHead(reply.statusCode ?? 502, reply.headers).end(await buffer(reply));
    })();
  });
  const console = await testConsole({
    upstreamUrl: async (own) => {
      sandbox = (await testSandbox({ webhookUrl: own + notificationsPath, publicUrl: url })).url;
      return url;
    },
  });
  server = console;
}

type Event = { type: string } & Record<string, unknown>;

const at = (actor: AnyActorRef, ...states: string[]): Promise<unknown> =>
  waitFor(actor, (now) => states.includes(stateOf(now as AnyMachineSnapshot)), { timeout: 10_000 }).catch(() => {
    throw new Error(`In ${stateOf(actor.getSnapshot() as AnyMachineSnapshot)} instead of ${states.join(' or ')}`);
  });

/** Opens a journey in a separate machine with the input of its page. */
async function open(journey: JourneyCode, ...states: string[]): Promise<AnyActorRef> {
  const facts = await server.done('getFacts');
  const actor: AnyActorRef = createActor<AnyStateMachine>(journey.machine, { input: { facts } });
  actor.on('facts.changed', () => undefined);
  actor.start();
  await at(actor, ...states);
  return actor;
}

function fillIn(actor: AnyActorRef): void {
  const { form } = contextOf(actor);
  const open = form.fields.map((field) => ({ ...field, options: field.options.filter(({ blocked }) => !blocked) }));
  for (const [field, value] of Object.entries(examples({ fields: open })))
    actor.send({ type: 'form.change', field, value });
}

/**
 * What was about to be sent, with the idempotency key that it was sent with then, and what arrived. `path` is how the
 * path of what is meant ends, among others that are sent for it.
 */
async function sent(id: JourneyId, actor: AnyActorRef, event: Event, path: string) {
  const facts = await server.done('getFacts');
  const before = actor.getSnapshot() as AnyMachineSnapshot;
  received = [];
  actor.send(event);
  const arrived = await vi.waitFor(
    () => {
      const found = received.find(({ url }) => url.endsWith(path));
      if (!found)
        throw new Error(`${id} in ${stateOf(actor.getSnapshot() as AnyMachineSnapshot)} has not sent ${path}`);
      return found;
    },
    { timeout: 10_000 },
  );
  const { 'x-idempotency-key': key = '' } = arrived.headers;
  const { data } = JSON.parse(arrived.body) as { data?: Record<string, string> };
  const own = data?.['debtorId'] ?? data?.['creditorId'];
  const preview = previewOf(id, before, facts, String(key), own);
  if (!preview) throw new Error(`${id} has no preview in ${stateOf(before)}`);
  return { arrived, preview, shown: shownBefore(preview.request, facts.service) };
}

/** Headers of the connection, and those by which the console's own logs name the request; no program has to send them. */
const notShown = ['host', 'connection', 'content-length', 'accept', 'accept-encoding', 'x-request-id', 'traceparent'];

/** Headers whose value is secret or unknown before the request. */
const secret = [header.apiKey, header.nonce, header.signature, 'authorization'];

function expectSame({ arrived, shown }: Awaited<ReturnType<typeof sent>>, except: Record<string, string> = {}): void {
  expect([shown.method, shown.path]).toEqual([arrived.method, arrived.url]);
  const body = Object.entries(except).reduce((text, [word, value]) => text.replace(word, value), shown.body);
  expect(body).toBe(arrived.body);
  const names = Object.keys(arrived.headers).filter((name) => ![...notShown, header.interaction].includes(name));
  const told = Object.keys(shown.headers).filter((name) => name !== header.interaction);
  expect(told.sort()).toEqual(names.sort());
  for (const name of names.filter((each) => !secret.includes(each)))
    expect([name, shown.headers[name]]).toEqual([name, arrived.headers[name]]);
}

const submit = { type: 'form.submit' };

describe('the preview equals the request that the service receives for', () => {
  beforeEach(async () => {
    await between();
    await onboard(server);
  });

  it.each([
    ['organisation', organisation, '/organisations'],
    ['company', company, '/companies'],
    ['dataset', dataset, '/datasets'],
  ] as const)('the form %s', async (id, journey, path) => {
    const actor = await open(journey, 'form.editing');
    fillIn(actor);
    const pair = await sent(id, actor, submit, path);
    expectSame(pair);
    expect(pair.preview.lineOf('externalId') ?? pair.preview.lineOf('sageCRMId')).toBeDefined();
  });

  it('an account, except for the user’s details', async () => {
    const actor = await open(account, 'form.editing');
    fillIn(actor);
    const { email, sub } = (await server.done('getUserInfo')).data;
    expectSame(await sent('account', actor, submit, '/accounts'), { $EMAIL: email, $USER_ID: sub });
  });

  it('the access token', async () => {
    // A company without an access token.
    await server.done('createCompany', { body: companyBody('Another Ltd') });
    const actor = createActor(accessToken.machine, { input: { facts: await server.done('getFacts') } });
    actor.start();
    const obtaining = actor.getSnapshot() as AnyMachineSnapshot;
    await at(actor, 'shown');
    const { companyId } = await server.done('getSettings');
    const arrived = received.find(({ headers }) => headers[header.company] === companyId);
    expect(arrived).toBeDefined();
    const facts = await server.done('getFacts');
    const preview = previewOf('accessToken', obtaining, facts);
    expect(previewOf('accessToken', actor.getSnapshot() as AnyMachineSnapshot, facts), 'once there is one').toBeNull();
    expectSame({ arrived: arrived!, preview: preview!, shown: shownBefore(preview!.request, facts.service) }); // as expected above
  });

  it.each([
    ['providers', providers],
    ['bankFiles', bankFiles],
    ['consumerHealth', consumerHealth],
    ['messagingHealth', messagingHealth],
  ] as const)('the lookup %s', async (id, journey) => {
    const actor = await open(journey, 'shown');
    const facts = await server.done('getFacts');
    const preview = previewOf(id, actor.getSnapshot() as AnyMachineSnapshot, facts)!; // a lookup always has one
    const shown = shownBefore(preview.request, facts.service);
    const arrived = received.find(({ url }) => url === shown.path);
    expect(arrived).toBeDefined();
    expectSame({ arrived: arrived!, preview, shown }); // as expected above
  });

  it('a subscription by form and by bank', async () => {
    for (const [id, journey] of [
      ['subscription', subscription],
      ['bankSubscription', bankSubscription],
    ] as const) {
      // A single provider is preselected.
      const actor = await open(journey, 'choosing', 'form.editing');
      const { providers } = contextOf(actor);
      const chosen = providers.find(({ name }) => name === 'Larkfield Bacs Bureau') ?? providers[0]!; // one at least
      if (stateOf(actor.getSnapshot() as AnyMachineSnapshot) === 'choosing')
        actor.send({ type: 'provider.choose', providerId: chosen.providerId });
      await at(actor, 'form.editing');
      fillIn(actor);
      expectSame(await sent(id, actor, submit, '/subscriptions'));
      await at(actor, 'succeeded'); // the next one is created beside it
    }
  });

  it('an update and a suspension of a subscription', async () => {
    const { subscriptionId: id } = await subscribe(server);
    const actor = await open(authorisation, 'list.listing');
    actor.send({ type: 'subscription.update', id });
    await at(actor, 'updating.editing');
    fillIn(actor);
    expectSame(await sent('authorisation', actor, submit, '/updates'));
    const list = await open(authorisation, 'list.listing', 'updating.messaging.waiting');
    // The update may still be pending.
    if (stateOf(list.getSnapshot() as AnyMachineSnapshot) !== 'list.listing') list.send({ type: 'form.cancel' });
    await at(list, 'list.listing');
    list.send({ type: 'subscription.suspend', id });
    const during = list.getSnapshot() as AnyMachineSnapshot;
    expect(stateOf(during)).toBe('acting.suspending');
    const facts = await server.done('getFacts');
    const arrived = await vi.waitFor(() => {
      const found = received.find(({ method }) => method === 'PATCH');
      if (!found) throw new Error('nothing yet');
      return found;
    });
    const preview = previewOf('authorisation', during, facts)!; // it is being sent
    expectSame({ arrived, preview, shown: shownBefore(preview.request, facts.service) });
  });

  it('a debtor, a creditor, a query and a deletion of each', async () => {
    await subscribe(server);
    for (const [id, journey, path] of [
      ['debtor', debtor, '/debtoraccountputs'],
      ['creditor', creditor, '/creditorputs'],
    ] as const) {
      const actor = await open(journey, 'form.editing');
      fillIn(actor);
      // One with the same values exists: nothing is sent unless the user confirms it, or changes a value.
      received = [];
      actor.send(submit);
      await at(actor, 'existing');
      expect(received.filter(({ url }) => url.endsWith(path))).toEqual([]);
      expectSame(await sent(id, actor, { type: 'party.again' }, path));
      await at(actor, 'succeeded');
      const other = await open(journey, 'form.editing');
      fillIn(other);
      const [name] = contextOf(other).form.fields.filter((field) => field.id.toLowerCase().endsWith('name'));
      other.send({ type: 'form.change', field: name?.id, value: 'Another party' });
      expectSame(await sent(id, other, submit, path));
    }
    for (const [id, journey, list, remove] of [
      ['debtorQuery', debtorQuery, '/debtoraccountlistqueries', '/debtoraccountdeletes'],
      ['creditorQuery', creditorQuery, '/creditorlistqueries', '/creditordeletes'],
    ] as const) {
      const actor = await open(journey, 'list.ready', 'list.listing');
      expectSame(await sent(id, actor, { type: 'query.send' }, list));
      await at(actor, 'list.listing');
      const [first] = contextOf(actor).parties;
      actor.send({ type: 'party.delete', id: first?.['debtorId'] ?? first?.['creditorId'] });
      await at(actor, 'confirming');
      expectSame(await sent(id, actor, { type: 'delete.confirm' }, remove));
    }
  });

  it('an electronic payment and a file payment (behaviour 10.16.10)', async () => {
    await subscribe(server);
    for (const [id, journey] of [
      ['electronicPayment', electronicPayment],
      ['filePayment', filePayment],
    ] as const) {
      const actor = await open(journey, 'choosing.form.editing', 'choosing.format');
      const { fileFormats, debtors, invoices } = contextOf(actor);
      if (id === 'filePayment') {
        actor.send({ type: 'format.choose', fileFormatId: fileFormats[0]?.fileFormatId });
        await at(actor, 'choosing.form.editing');
      }
      actor.send({ type: 'debtor.choose', debtorId: debtors[0]?.debtorId });
      fillIn(actor);
      const unpaid = invoices.filter(({ payment }) => !payment);
      actor.send({ type: 'invoices.tick', ids: unpaid.slice(0, 3).map(({ invoiceId }) => invoiceId) });
      const drafted = previewOf(id, actor.getSnapshot() as AnyMachineSnapshot, await server.done('getFacts'));
      expect(drafted?.request.body).toMatchObject({ data: { payments: [{}, {}, {}] } });
      actor.send(submit);
      await at(actor, 'review.ready');
      expectSame(await sent(id, actor, { type: 'payment.pay' }, '/batchpayments'));
    }
  });
});
