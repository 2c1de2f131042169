import { useEffect } from 'react';
import type { Facts } from '#contract/facts.ts';
import { isBatchEnd } from '#contract/status.ts';
import { hearOtherTabs } from '../client/otherTabs.ts';
import { subscribeToRecord } from '../client/recordEvents.ts';
import { useConsole, useSend } from './ConsoleProvider.tsx';

/**
 * The ids of what the facts show and a webhook may change: payments with an unknown outcome, the last batch, the current
 * subscription.
 */
const awaitedIn = ({ pendingPayments, settings, batchStatus, subscription }: Facts): string[] => [
  ...pendingPayments.flatMap(({ key, settled }) => (settled ? [] : key)),
  ...(settings.batchId === '' || isBatchEnd(batchStatus) ? [] : [settings.batchId]),
  ...(subscription ? [subscription.subscriptionId] : []),
];

/** Reads the facts again when a webhook has changed what they show, or another tab something. */
export function useFactsUpdates(): void {
  const send = useSend();
  const ids = useConsole(({ context }) => (context.facts ? awaitedIn(context.facts).join(' ') : ''));
  useEffect(() => {
    const stops = ids
      .split(' ')
      .flatMap((id) => (id ? subscribeToRecord(id, () => send({ type: 'facts.stale' })) : []));
    return () => stops.forEach((stop) => stop());
  }, [ids, send]);
  useEffect(() => hearOtherTabs(() => send({ type: 'facts.stale' })), [send]);
}
