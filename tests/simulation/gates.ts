import { calls } from '#contract/calls.ts';
import type { Facts } from '#contract/facts.ts';
import type { RequirementId } from '#machines/requirements.ts';
import type { RecordedApplication, RecordedWebhook } from '#server/sandbox/recorded.ts';
import type { Exchange } from './line.ts';
import type { HeardRead } from './network.ts';
import { confirmations } from './stored.ts';
import type { SeenGate } from './walks.ts';

/** The state of a subscription, as one text. */
const standing = ({ status, suspendedByConsumer }: { status: string; suspendedByConsumer: boolean }): string =>
  `${status.toLowerCase()}${suspendedByConsumer ? ', suspended' : ''}`;

/**
 * A state of a subscription, when it was announced, and when the console had certainly asked for it; Infinity if that is not
 * known. Of two that were announced at the same time either may be the newer one.
 */
interface Standing {
  what: string;
  at: number;
  readAt: number;
}

const ended = ({ at, ms }: RecordedWebhook['deliveries'][number]): number => at + ms;
/** When the console had accepted a webhook; Infinity if it has not. */
const acceptedAt = ({ deliveries }: RecordedWebhook): number =>
  Math.min(...deliveries.filter(({ status }) => status >= 200 && status < 300).map(ended), Infinity);

interface WebhookBody {
  type: string;
  subscriptionId?: string;
  data: { status: string; suspendedByConsumer: boolean };
}
const bodyOf = ({ deliveries }: RecordedWebhook): WebhookBody | undefined =>
  deliveries[0] && (JSON.parse(deliveries[0].body) as WebhookBody); // the sandbox's own

/** Webhooks are recorded in the order in which their first delivery ended; a late one was made before others. */
const begun = ({ deliveries }: RecordedWebhook): number => deliveries[0]?.at ?? Infinity;

/** The states that a subscription has had at the service, oldest first. */
function standingsOf(subscriptionId: string, { webhooks }: Pick<RecordedApplication, 'webhooks'>): Standing[] {
  const created: Standing = {
    what: standing({ status: 'Received', suspendedByConsumer: false }),
    at: 0,
    readAt: -Infinity,
  };
  const inOrder = webhooks.toSorted((one, other) => begun(one) - begun(other));
  const changes = inOrder.flatMap((webhook) => {
    const body = bodyOf(webhook);
    return body?.type === 'subscriptionUpdated' && body.subscriptionId === subscriptionId
      ? [{ what: standing(body.data), at: begun(webhook), readAt: acceptedAt(webhook) }]
      : [];
  });
  return [created, ...changes];
}

/** The answer with the facts that a page shows; undefined if none had exactly these. */
function answerWith(facts: Facts, exchanges: readonly Exchange[], by: string, before: number): Exchange | undefined {
  const text = JSON.stringify(facts);
  return exchanges.findLast(
    (each) =>
      each.who === by &&
      each.at <= before &&
      each.path === calls.getFacts.path &&
      each.status === 200 &&
      JSON.stringify(JSON.parse(each.text)) === text,
  );
}

/** Less than the life (ms) of a user token. */
const mostOfTokenLife = 15 * 60_000;

/** Whether what a requirement asks for was confirmed to a user before `time`, and cannot have gone since. */
function isConfirmed(need: RequirementId, facts: Facts, time: number, truth: Truth): boolean {
  const { organisations, companies, accounts, subscriptions, batches } = confirmations(truth.exchanges);
  const by = (list: { companyKey: string; at: number }[], anywhere = false) =>
    list.some(({ companyKey, at }) => at < time && (anywhere || companyKey === facts.companyKey));
  const hasAccepted = (type: string) =>
    truth.webhooks.some((webhook) => {
      const body = bodyOf(webhook);
      return (
        body?.type === type &&
        body.subscriptionId === facts.settings.subscriptionId &&
        body.data.status === 'Accepted' &&
        acceptedAt(webhook) < time
      );
    });
  const isDeleted = (type: string) => truth.calls.some(({ operation }) => operation === type);
  switch (need) {
    case 'organisation':
      return by(organisations, true);
    case 'company':
      return by(companies);
    case 'account':
      return by(accounts);
    case 'subscription':
    case 'anySubscription':
      return by(subscriptions);
    case 'userToken':
      return truth.exchanges.some(
        ({ path, status, companyKey, at }) =>
          path === calls.storeUserToken.path &&
          status === 200 &&
          companyKey === facts.companyKey &&
          truth.isTimeTrue &&
          at < time &&
          at > time - mostOfTokenLife,
      );
    case 'batches':
    case 'anyPayment':
      return by(batches);
    case 'debtors':
      return hasAccepted('debtoraccountputs') && !isDeleted('debtoraccountdeletes');
    case 'creditors':
      return hasAccepted('creditorputs') && !isDeleted('creditordeletes');
    default:
      return false; // it can end, or depends on what the service offers
  }
}

/** The state of a subscription in an answer about it; undefined if it is about something else. */
function standingIn({ path, text }: HeardRead, subscriptionId: string): string | undefined {
  if (!path.split('?')[0]!.endsWith(`/${subscriptionId}`)) return undefined;
  const { data } = JSON.parse(text) as { data?: WebhookBody['data'] }; // the sandbox's own, or empty
  return data && standing(data);
}

/** What was so in a world: what the service recorded, and what was said between users and console. */
interface Truth extends Pick<RecordedApplication, 'calls' | 'webhooks'> {
  exchanges: readonly Exchange[];
  /** What the console has read at the service. */
  reads: readonly HeardRead[];
  /** Whether the clocks of console and service agree, so that a token ends when its life is over. */
  isTimeTrue: boolean;
}

/**
 * Returns the gates that do not fit the facts at the service at that time: a sentence each. A subscription may have an
 * earlier state than the console had read if the service has returned that to a later question (behaviour 4.47).
 */
export function wrongGates(seen: readonly SeenGate[], truth: Truth): string[] {
  return seen.flatMap(({ by, at, gate, facts }) => {
    const name = `The gate ${gate.alert} (${gate.missing ?? 'of its own'}) that ${by.name} saw at ${at}`;
    const wrong: string[] = [];
    if (facts.lost !== '') wrong.push(`${name} says that the service has lost the ${facts.lost}.`);
    const { sentAt: time = 0, at: answered = 0 } = answerWith(facts, truth.exchanges, by.name, at) ?? {};
    if (gate.missing && isConfirmed(gate.missing, facts, time, truth))
      wrong.push(`${name} says that something is missing that had been confirmed before the facts were asked for.`);
    const { subscription } = facts;
    if (subscription) {
      const standings = standingsOf(subscription.subscriptionId, truth);
      const what = standing(subscription);
      const shown = standings.findLast((each) => each.what === what);
      const newest = standings.findLast(({ readAt }) => readAt < time)!; // at least the first
      const isReturned = (read: HeardRead): boolean =>
        read.sentAt >= newest.at && read.at <= answered && standingIn(read, subscription.subscriptionId) === what;
      if (!shown) wrong.push(`${name} shows the subscription as ${what}, which it never was.`);
      else if (shown.at < newest.at && !truth.reads.some(isReturned))
        wrong.push(
          `${name} shows the subscription as ${what}, but the console had read ${newest.what}, and the service has not returned ${what} since.`,
        );
    }
    return wrong;
  });
}
