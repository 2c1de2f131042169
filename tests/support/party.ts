import { webhookPollInterval } from '#contract/constants.ts';
import type { Message } from '#contract/message.ts';
import type { Invoking } from '#machines/lib/state.ts';
import { messageIn } from '#machines/lib/messaging.ts';
import type { Creditor } from '#contract/party.ts';
import type { Draft } from '#machines/lib/draft.ts';
import { debtorMachine } from '#machines/party/party.machine.ts';
import { creditorQueryMachine } from '#machines/party/query.machine.ts';
import { factsAfter, withFacts } from './facts.ts';
import { live, type Live } from './deferredPorts.ts';
import { rules } from './fixtures.ts';

const facts = factsAfter('authorisation');

/** The facts after another subscription has become the current one. */
export const elsewhere = withFacts(facts, { settings: { ...facts.settings, subscriptionId: 'subscription-2' } });

export const sent = (messageId: string) => ({ messageId, pending: false, held: false });
export const accepted = { state: 'accepted', detail: '' };
export const refused = { state: 'refused', detail: 'The account is closed' };
export const waits = { state: 'waiting', detail: '' };

/** A running journey that converses. */
const conversing = <M extends typeof debtorMachine | typeof creditorQueryMachine>(running: Live<M>) => ({
  ...running,
  /** What it shows of the message. */
  message: () => messageIn((running.now() as { context: Invoking }).context), // of both
  /** Answers the next poll with the provider's answer to the current message. */
  hear: async (outcome: object) => {
    await running.pass(webhookPollInterval);
    await running.answer('askOutcome', outcome);
  },
});

export async function openDebtor(pending: Message[] = [], draft?: Draft) {
  const running = conversing(live(debtorMachine, { input: { facts, ...(draft && { draft }) } }));
  await running.answer('loadRules', { rules, pending });
  return running;
}

export async function openCreditorQuery(pending: Message[] = [], asked: Message | null = null, known: Creditor[] = []) {
  const running = conversing(live(creditorQueryMachine, { input: { facts } }));
  await running.answer('loadQuery', { known, pending, asked });
  return running;
}
