import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { jsonIn } from '#contract/json.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { batch } from '#machines/batch/journeys.ts';
import { addressOf } from '#machines/journeys.ts';
import { whyNot } from '#machines/palette.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { shortId } from '#rules/shortId.ts';
import { sandboxControls as controls } from '../page/sandboxControls.ts';

/** One line of the palette: a link to a record, or an action. */
export interface Entry {
  /** Search keywords in addition to the title. */
  key: string;
  title: string;
  /** Shown beside the title: status, amount, id. */
  detail?: string;
  /** Why it is unavailable now; '' if it is available. */
  blocked?: string;
  /** The address of a link. */
  to?: string;
  /** The name of an action. */
  act?: keyof typeof whyNot;
}

/** Maximum number of records listed of each kind, newest first; older ones are in their own lists. */
const most = 50;

/** Parses a list stored as JSON in the settings; returns an empty list if it cannot be parsed. */
function listOf<T>(text: string): T[] {
  const list = jsonIn(text);
  return Array.isArray(list) ? (list.slice(-most).toReversed() as T[]) : []; // the server assembles it from such records
}

/** Batches, subscriptions, debtors and creditors of the current company, each linking to the page that shows it. */
export function recordsOf(facts: Facts, debtors: readonly Debtor[], creditors: readonly Creditor[]): Entry[] {
  const nameOf = new Map(
    facts.alternatives.map(({ subscription, provider }) => [subscription.subscriptionId, provider]),
  );
  return [
    ...listOf<BatchRecord>(facts.settings.postedBatches).map(({ batchId, status, amount }) => ({
      key: `batch ${batchId}`,
      title: `Batch ${shortId(batchId)}`,
      detail: `${groupedAmounts(amount)}, ${status}`,
      to: `${batch.path}?${new URLSearchParams({ batchId }).toString()}`,
    })),
    ...listOf<SubscriptionRecord>(facts.settings.subscriptions).map(({ subscriptionId, status }) => ({
      key: `subscription ${subscriptionId}`,
      title: `Subscription ${shortId(subscriptionId)}`,
      detail: [
        subscriptionId === facts.settings.subscriptionId ? facts.provider?.name : nameOf.get(subscriptionId)?.name,
        status,
      ]
        .filter(Boolean)
        .join(', '),
      to: `${addressOf('authorisation')}?${new URLSearchParams({ q: subscriptionId }).toString()}`,
    })),
    ...debtors.slice(-most).map(({ debtorId, debtorAccountname }) => ({
      key: `debtor ${debtorId}`,
      title: `Debtor ${debtorAccountname || shortId(debtorId)}`,
      detail: shortId(debtorId),
      to: `${addressOf('debtorQuery')}?${new URLSearchParams({ q: debtorId }).toString()}`,
    })),
    ...creditors.slice(-most).map(({ creditorId, creditorname }) => ({
      key: `creditor ${creditorId}`,
      title: `Creditor ${creditorname || shortId(creditorId)}`,
      detail: shortId(creditorId),
      to: `${addressOf('creditorQuery')}?${new URLSearchParams({ q: creditorId }).toString()}`,
    })),
  ];
}

/** The actions available anywhere, each with the reason if it is unavailable now. */
export function actionsOf(facts: Facts): Entry[] {
  const { environment, subscription } = facts;
  const verb = subscription?.suspendedByConsumer ? 'Unsuspend' : 'Suspend';
  return [
    { key: 'copy token', title: 'Copy the access token', act: 'copyToken', blocked: whyNot.copyToken(facts) },
    {
      key: 'suspend subscription',
      title: `${verb} the current subscription`,
      act: 'suspend',
      blocked: whyNot.suspend(facts),
    },
    {
      key: 'reset the sandbox',
      title: controls.empty.title,
      to: controls.empty.to,
      blocked: environment === 'sandbox' ? '' : controls.empty.live,
    },
    {
      key: 'save open situation file',
      title: 'Save or open a situation',
      to: controls.save.to,
      blocked: environment === 'sandbox' ? '' : controls.save.live,
    },
  ];
}
