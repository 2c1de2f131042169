import type { Selection } from '#machines/subscription/switching.ts';
import { call } from '../client/client.ts';
import { resource } from './resource.ts';
import { provideEffects, withWakeups } from '#machines/lib/effect.ts';
import type { SubscriptionChoice, Submitted } from '#machines/subscription/choice.ts';
import { bankSubscriptionMachine, subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { withLanguage } from '#rules/language.ts';
import { withIdempotencyKey } from '../client/withIdempotencyKey.ts';
import type { JourneyCode } from '#machines/console.ts';
import { definitions } from './definitions.ts';
import type { Provider } from '#contract/lookup.ts';
import type { Message } from '#contract/message.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { stringify } from '#contract/json.ts';
import { withStatus } from '#contract/status.ts';
import type { Problem } from '#contract/problem.ts';
import type { Answer } from '#contract/shapes.ts';
import { provideApproval } from '#machines/lib/approval.machine.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { subscriptionApproval, unknownStatus, type SubscriptionRow } from '#machines/subscription/rows.ts';
import { textAt } from '#rules/path.ts';
import { serverTime } from '#ui/clock.ts';
import { subscribeToRecord } from '../client/recordEvents.ts';
import { message } from './messages.ts';

/**
 * The effect `select`: stores subscription id and provider id, with country and language unless the country is unknown
 * (behaviour, section 4). All of them are stored, or none.
 */
async function select(
  { subscriptionId, providerId, country, language }: Selection,
  signal: AbortSignal,
): Promise<void> {
  const place = language === undefined ? {} : { providerCountry: country, acceptLanguage: language };
  await call('changeSettings', { body: { subscriptionId, providerId, ...place }, signal });
}

/** The current subscription, which a gate offers to switch. */
export const switching = resource({
  kind: { changesFacts: () => true },
  async act({ selection }: { act: 'use'; selection: Selection }, signal) {
    await select(selection, signal);
    return null;
  },
});

/** Reads the settings, then the providers for their country and language (behaviour, section 4, step 1); no banks. */
async function loadChoice(_: void, signal: AbortSignal): Promise<SubscriptionChoice> {
  const { providerCountry, acceptLanguage } = await call('getSettings', { signal });
  const query = { country: providerCountry, language: acceptLanguage };
  const { data: providers } = await definitions('getProviders', { query, signal });
  return { providers: providers.map((provider) => withLanguage(provider, acceptLanguage)), banks: [] };
}

/**
 * Creates the subscription once; the server stores its record and makes it the current one. Then reads the settings
 * again (behaviour, section 4, step 6); if that fails, the subscription still exists.
 */
async function createSubscription(
  { beside, despite, ...request }: Submitted,
  signal: AbortSignal,
): Promise<{ subscriptionId: string }> {
  const { data } = await withIdempotencyKey('createSubscription', request, (key) =>
    call('createSubscription', { query: { beside, despite }, body: { data: request }, key, signal }),
  );
  await call('getSettings', { signal }).catch(() => undefined);
  return data;
}

export const subscription = {
  machine: provideEffects(subscriptionMachine, { loadChoice, createSubscription }),
} satisfies JourneyCode;

export const bankSubscription = {
  machine: provideEffects(bankSubscriptionMachine, {
    loadChoice: async (_, signal) => {
      const [choice, { data: banks }] = await Promise.all([loadChoice(_, signal), call('getBanks', { signal })]);
      return { ...choice, banks };
    },
    createSubscription,
  }),
} satisfies JourneyCode;

/** Converts a 404 to null, so that a deleted subscription becomes a row that says so, and the list does not fail. */
const unlessMissing = (error: unknown): null => {
  if ((error as Partial<Problem>).status === 404) return null; // calls reject with problems
  throw error;
};

/** Keeps the stored row if the service is unavailable, so that the list can still be opened. */
const unlessSilent = (row: SubscriptionRow, error: unknown): SubscriptionRow => {
  const { code = '', title = '' } = error as Partial<Problem>; // calls reject with problems
  if (!code.startsWith('upstream-') && code !== 'key-rejected') throw error;
  return { ...row, unread: title };
};

/**
 * The service's link, or the mock provider's, which the record has only if useMock is 'true' (behaviour, section 3).
 * Only a link to a provider's own pages may be opened or framed; any other link is returned as `elsewhere`.
 */
function linkOf({ authLink = '' }: SubscriptionRecord, { links, followed }: Answer<'getSubscription'>['data']) {
  const link = links?.authorise;
  const issuedAt = textAt(links, 'authoriseIssuedAt');
  if (link === undefined) return { authorise: authLink, elsewhere: '', issuedAt };
  return followed ? { authorise: link, elsewhere: '', issuedAt } : { authorise: '', elsewhere: link, issuedAt };
}

/** Reads the subscription's current state from the service and adds it to the row. */
async function readRow(row: SubscriptionRow, signal: AbortSignal): Promise<SubscriptionRow> {
  const { subscriptionId } = row;
  const answer = await call('getSubscription', { params: { subscriptionId }, signal }).catch(unlessMissing);
  const readAt = serverTime();
  if (!answer)
    return { ...withStatus(row, { status: unknownStatus }), authorise: '', elsewhere: '', readAt, unread: '' };
  const { data, ended } = answer.data;
  return {
    ...withStatus(row, { ...data, ended }),
    suspended: data.suspendedByConsumer ?? false,
    additionalData:
      typeof data.additionalData === 'string' ? data.additionalData : stringify(data.additionalData ?? {}),
    ...linkOf(row, answer.data),
    readAt,
    unread: '',
  };
}

const unlessAborted =
  (signal: AbortSignal) =>
  (error: unknown): null => {
    if (signal.aborted) throw error;
    return null;
  };

/** The providers of the records by id, in any country; leaves out those not found. */
async function providersOf(
  records: readonly SubscriptionRecord[],
  signal: AbortSignal,
): Promise<Map<string, Provider>> {
  const ids = [...new Set(records.map(({ providerId }) => providerId))];
  const answers = await Promise.all(
    // If a provider cannot be read, the row only lacks its name.
    ids.map((providerId) =>
      definitions('getProvider', { params: { providerId }, signal }).catch(unlessAborted(signal)),
    ),
  );
  return new Map(answers.flatMap((answer) => (answer ? [[answer.data.providerId, answer.data]] : [])));
}

/** Updates of all subscriptions that await their answer, latest first. */
async function pendingUpdates(signal: AbortSignal): Promise<Message[]> {
  return (await call('listMessages', { query: { state: 'waiting', kind: 'updates' }, signal })).data;
}

/**
 * The stored records, newest first, each with its provider and the current state at the service (behaviour, section 2).
 */
async function loadRows(signal: AbortSignal): Promise<SubscriptionRow[]> {
  const settings = await call('getSettings', { query: { lists: 'whole' }, signal });
  const records = JSON.parse(settings.subscriptions) as SubscriptionRecord[]; // the server assembles it from its records
  const [providers, updates] = await Promise.all([providersOf(records, signal), pendingUpdates(signal)]);
  return Promise.all(
    records.toReversed().map((record) => {
      const provider = providers.get(record.providerId);
      const row = {
        ...record,
        providerName: provider?.name ?? '',
        country: provider?.country[0] ?? '',
        authorise: '',
        elsewhere: '',
        framed: provider?.accountType.capabilities?.includes('IFramePermitted') ?? false,
        current: record.subscriptionId === settings.subscriptionId,
        readAt: '',
        unread: '',
        issuedAt: '',
        rules: provider ? withLanguage(provider, settings.acceptLanguage).accountType.validationRules : [],
        additionalData: '',
        pending: updates.find(({ subscriptionId }) => subscriptionId === record.subscriptionId) ?? null,
      };
      return readRow(row, signal).catch((error: unknown) => unlessSilent(row, error));
    }),
  );
}

async function suspend(
  { subscriptionId, suspendedByConsumer }: { subscriptionId: string; suspendedByConsumer: boolean },
  signal: AbortSignal,
): Promise<void> {
  await call('patchSubscription', { params: { subscriptionId }, body: { data: { suspendedByConsumer } }, signal });
}

export const authorisation = {
  machine: provideEffects(authorisationMachine, {
    loadRows: (_, signal) => loadRows(signal),
    readRow,
    approval: provideApproval(
      subscriptionApproval,
      withWakeups(readRow, ({ subscriptionId }, wake) => subscribeToRecord(subscriptionId, wake)),
    ),
    message,
    select,
    suspend,
  }),
  input: (query) => ({ guided: query.get('guided') === 'true' }),
} satisfies JourneyCode;
