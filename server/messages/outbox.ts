import type { JsonObject } from '#contract/json.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { currentAttempt } from '#server/calls/callContext.ts';
import { requireKeyValid, settledOutcomeOf } from '#server/calls/writeOutcome.ts';
import { companyOf } from '#server/companies/settings.ts';
import type { Company } from '#server/upstream/tokens.ts';
import { keyTtl } from '#server/upstream/wire.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import { saveMessage, recordAccepted, type WhilePending } from './save.ts';
import { messageBy } from './message.ts';
import type { Message } from './records.ts';

/**
 * Returns a failure that also names the message, so that the message can be sent again under its idempotency key. Other
 * calls may have the same failure, so it is copied.
 */
function withMessageId(error: unknown, messageId: string): unknown {
  if (!(error instanceof Failure)) return error;
  const { code, detail, ...more } = error.problem;
  return Object.assign(new Failure(code, detail, { ...more, messageId }), { cause: error });
}

/**
 * Sends a stored message under its idempotency key. `repeated`: it may have been sent before. Resolves with the
 * interaction id; rejects with a Failure, which names the message if it may have been sent. A message that was
 * certainly not sent, or was refused, is removed. If the lock of the message was `lost` meanwhile, another server may be
 * sending it: then nothing is sent, and the message stays.
 */
async function forward(
  { store, upstream }: Pick<CompanyContext, 'store' | 'upstream'>,
  company: Company,
  { messageId, kind, data }: Pick<Message, 'messageId' | 'kind' | 'data'>,
  { repeated, lost }: { repeated: boolean; lost: AbortSignal },
): Promise<string> {
  const attempt = currentAttempt();
  if (repeated) attempt.inDoubt = true;
  lost.throwIfAborted();
  try {
    const interactionId = await upstream.send(company, kind, data, messageId);
    await recordAccepted(store, messageId, true);
    return interactionId;
  } catch (error) {
    const outcome = await settledOutcomeOf(attempt).catch(() => 'unknown');
    if (outcome === 'unknown' || lost.aborted) throw withMessageId(error, messageId);
    await recordAccepted(store, messageId, false);
    throw error;
  }
}

/**
 * Sends a message to the provider, after storing it so that its outcome can be followed even after a restart. `key` is
 * its idempotency key: sending again under the same key repeats the message and creates no second one. Rejects with a
 * Failure; a refused message is not stored, and after `message-pending` nothing was sent.
 */
async function send(
  { store, upstream, clock }: Pick<CompanyContext, 'store' | 'upstream' | 'clock'>,
  message: Pick<Message, 'kind' | 'resourceId' | 'subscriptionId'> & { data: JsonObject },
  { key, whilePending }: { key: string; whilePending?: WhilePending },
) {
  const company = await companyOf(store);
  const sentAt = iso(clock.now());
  const newMessage = {
    ...message,
    messageId: key,
    state: 'waiting',
    status: '',
    detail: '',
    sentAt,
    forwarded: false,
    serviceTime: upstream.serviceClock.now(),
  } as const;
  const repeated = await saveMessage(store, newMessage, whilePending);
  const interactionId = await store.withLock(`message ${key}`, (lost) =>
    forward({ store, upstream }, company, newMessage, { repeated, lost }),
  );
  return { accepted: true as const, interactionId, messageId: key };
}

/**
 * Repeats a message that may not have reached the service, under its idempotency key, so that the service processes it
 * once. Sends nothing if the service has accepted the message or its outcome is known. Returns the message as stored
 * afterwards. Rejects with a Failure: `not-found`, `outcome-unknown` if the service may have forgotten the key, or the
 * failure of the request.
 */
export async function resend(
  { store, upstream, retryWindow }: Pick<CompanyContext, 'store' | 'upstream' | 'retryWindow'>,
  messageId: string,
): Promise<Message> {
  const company = await companyOf(store);
  return store.withLock(`message ${messageId}`, async (lost) => {
    const stored = await messageBy(store, messageId);
    if (stored?.messageId !== messageId)
      throw new Failure('not-found', `No message with the id ${messageId} was sent from here.`);
    if (stored.state !== 'waiting' || stored.forwarded) return stored;
    const window = retryWindow({
      ...{ claimedAt: Date.parse(stored.sentAt) || 0, serviceTime: stored.serviceTime },
      ...{ keyTtl: keyTtl.usual, serviceClock: upstream.serviceClock },
    });
    const attempt = Object.assign(currentAttempt(), { inDoubt: true, window });
    try {
      requireKeyValid(attempt);
    } catch (error) {
      throw withMessageId(error, messageId);
    }
    await forward({ store, upstream }, company, stored, { repeated: true, lost });
    return (await messageBy(store, messageId)) ?? stored;
  });
}

interface SendInput<Data> {
  body: { data: Data; whilePending?: WhilePending };
  key: string;
}

/** Makes the handler of a call that sends one kind of message; `idOf` returns the id of the resource that it is about. */
export const sendHandler =
  <Data extends JsonObject & { subscriptionId: string }>(kind: MessageKind, idOf: (data: Data) => string) =>
  (
    context: Pick<CompanyContext, 'store' | 'upstream' | 'clock'>,
    { body: { data, whilePending }, key }: SendInput<Data>,
  ) =>
    send(context, { kind, resourceId: idOf(data), subscriptionId: data.subscriptionId, data }, { key, whilePending });
