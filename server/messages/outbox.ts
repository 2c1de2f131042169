import type { JsonObject } from '#contract/json.ts';
import { iso } from '#server/clock.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { companyIn } from '#server/companies/settings.ts';
import { currentAttempt } from '#server/calls/callContext.ts';
import { outcomeOf } from '#server/calls/writeOutcome.ts';
import { Failure } from '#server/failure.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import type { Write as Row } from '#server/storage/writes.ts';
import type { Write } from '#server/writes/journal.ts';
import { messageBy } from './message.ts';
import type { Message } from './records.ts';
import { recordAccepted, saveMessage, type WhilePending } from './save.ts';

/**
 * Returns a failure that also names the message, so that the message can be sent again under its idempotency key. Other
 * calls may have the same failure, so it is copied.
 */
function withMessageId(error: unknown, messageId: string): unknown {
  if (!(error instanceof Failure)) return error;
  const { code, detail, ...more } = error.problem;
  return Object.assign(new Failure(code, detail, { ...more, messageId }), { cause: error });
}

/** The calls that send messages. */
type SendingCall =
  'sendUpdate' | 'putDebtor' | 'putCreditor' | 'deleteDebtor' | 'deleteCreditor' | 'queryDebtors' | 'queryCreditors';

interface SendInput {
  body: { data: JsonObject & { subscriptionId: string }; whilePending?: WhilePending };
  /** Also the id of the message. */
  key: string;
}

/**
 * Makes the write that sends one kind of message; `idOf` returns the id of the resource that it is about. The message is
 * stored before it is sent, so that its outcome can be followed: its webhook may arrive before the service's response.
 */
export const sending = <Data extends JsonObject & { subscriptionId: string }>(
  kind: MessageKind,
  idOf: (data: Data) => string,
): Write<SendingCall, SendInput, string> => ({
  // eslint-disable-next-line @typescript-eslint/require-await -- a failure rejects, as that of other writes
  async reserve({ settings, store, upstream, clock }, { body: { data, whilePending }, key }) {
    companyIn(settings); // throws if there is none
    const message: Message = {
      kind,
      resourceId: idOf(data as Data),
      subscriptionId: data.subscriptionId,
      data, // of its declaration
      messageId: key,
      state: 'waiting' as const,
      status: '' as const,
      detail: '' as const,
      forwarded: false as const,
      sentAt: iso(clock.now()),
      serviceTime: upstream.serviceClock.now(),
    };
    return async () => {
      await saveMessage(store, message, whilePending);
      return () => recordAccepted(store, key, false);
    };
  },
  async send({ settings, upstream }, { body: { data }, key }) {
    try {
      return await upstream.send(companyIn(settings), kind, data, key);
    } catch (error) {
      throw outcomeOf(currentAttempt()) === 'unknown' ? withMessageId(error, key) : error;
    }
  },
  async keep({ store }, { key }, interactionId) {
    await recordAccepted(store, key, true);
    return { accepted: true as const, interactionId, messageId: key };
  },
});

/**
 * Repeats a message that may not have reached the service, under its idempotency key, so that the service processes it
 * once. Sends nothing if the service has accepted the message or its outcome is known. Returns the message as stored
 * afterwards. Rejects with a Failure: `not-found`, `outcome-unknown` if the service may have forgotten the key, or the
 * failure of the request.
 */
export async function resend(
  store: Store,
  messageId: string,
  repeat: (row: Row, body: unknown) => Promise<void>,
): Promise<Message> {
  const stored = await messageBy(store, messageId);
  if (stored?.messageId !== messageId)
    throw new Failure('not-found', `No message with the id ${messageId} was sent from here.`);
  if (stored.state !== 'waiting' || stored.forwarded) return stored;
  const row = await store.writes.byServiceKey({ workspace: store.workspace, companyKey: store.companyKey }, messageId);
  if (!row)
    throw new Failure(
      'outcome-unknown',
      'What the console keeps of this message was removed, so it is not sent again.',
      {
        messageId,
      },
    );
  try {
    await repeat(row, { data: stored.data });
  } catch (error) {
    throw withMessageId(error, messageId);
  }
  return (await messageBy(store, messageId)) ?? stored;
}
