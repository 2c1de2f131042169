import { useMemo, useState, useEffect } from 'react';
import type { AnyMachineSnapshot } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { messageIn } from '#machines/lib/messaging.ts';
import { hasTag, type Invoking } from '#machines/lib/state.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { useTimeline } from '#app/client/useTimeline.ts';
import { exchangesAt, exchangesOf } from './exchanges.ts';
import { next, Panels, type TabId, type InspectorProps } from './Panels.tsx';
import type { Preview } from '#steps/preview.ts';
import { steps } from '#steps/steps.ts';
import { shownAfter, shownBefore } from './shownRequest.ts';
import { useWebhooksOf } from './useWebhooksOf.ts';
import { createdWord, keyWord } from './code/request.ts';

/** What the code calls the key that the page creates: a party's is its id. */
const ownVariable = (id: JourneyId) => (id === 'debtor' ? 'DEBTOR_ID' : id === 'creditor' ? 'CREDITOR_ID' : 'KEY');

/** The request that a page is about to send; null if it sends none, is blocked, or does not know it yet. */
export const previewOf = (
  id: JourneyId,
  snapshot: AnyMachineSnapshot,
  facts: Facts,
  key = keyWord,
  own = createdWord(ownVariable(id)),
): Preview | null => (snapshot.hasTag('gate') ? null : (steps[id].preview?.(snapshot, facts, key, own) ?? null));

/** The id of the focused form field (`data-field` of the element around its control); '' for none. */
function useHighlightedField(): string {
  const [field, setField] = useState('');
  useEffect(() => {
    const look = () => setField(document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field'] ?? '');
    const leave = ({ relatedTarget }: FocusEvent) => relatedTarget === null && setField('');
    look();
    document.addEventListener('focusin', look);
    document.addEventListener('focusout', leave);
    return () => {
      document.removeEventListener('focusin', look);
      document.removeEventListener('focusout', leave);
    };
  }, []);
  return field;
}

/**
 * The id of the request selected initially: the one about to be sent while the form is open; that of a message which waits
 * for its answer; after a failure the one that failed, which is none if it did not reach the service; otherwise the last one sent.
 */
const lookedAt = (
  snapshot: AnyMachineSnapshot,
  preview: Preview | null,
  exchanges: readonly TimelineEntry[],
): string => {
  const [last] = exchanges;
  const of = (sought?: string) => exchanges.find(({ interactionId }) => interactionId === sought)?.id;
  if (hasTag(snapshot, 'failed')) {
    const { failure } = snapshot.context as { failure?: Problem | null }; // of every journey's context
    return of(failure?.interactionId) ?? next;
  }
  // A message that waits for its answer was sent, although its form is still open.
  const { messageId } = messageIn(snapshot.context as Invoking);
  if (messageId !== '' && last) return of(messageId) ?? last.id;
  const isOpen = (snapshot.hasTag('form') || snapshot.hasTag('list')) && !snapshot.hasTag('told');
  // Reads are repeated automatically, so the last exchange is more useful than a preview.
  const isRead = preview?.request.method === 'GET';
  return (preview && isOpen && !isRead) || !last ? next : last.id;
};

/** The requests of a journey that were sent for the current company, newest first. */
export function useExchanges(id: JourneyId, facts: Facts | null): TimelineEntry[] {
  const { calls, address = '' } = steps[id];
  const { entries } = useTimeline(
    address === ''
      ? { journey: id, kind: 'call,service', name: (calls ?? []).join(',') }
      : { kind: 'service', text: address },
    100,
  );
  return useMemo(
    () =>
      !facts ? [] : address === '' ? exchangesOf(entries, calls ?? [], facts) : exchangesAt(entries, address, facts),
    [entries, calls, address, facts],
  );
}

/** The step's own requests: the one that the form produces, and those already sent. */
export function OfStep({ id, snapshot, facts, onClose }: Omit<InspectorProps, 'record'> & { facts: Facts }) {
  const [tab, setTab] = useState<TabId | null>(null);
  const [chosen, setChosen] = useState<{ id: string; of: string }>();
  const lit = useHighlightedField();
  const exchanges = useExchanges(id, facts);
  const preview = useMemo(() => previewOf(id, snapshot, facts), [id, snapshot, facts]);
  // The user's selection stays until another request is sent.
  const last = exchanges[0]?.id ?? '';
  const at = chosen?.of === last ? chosen.id : lookedAt(snapshot, preview, exchanges);
  const entry = exchanges.find((each) => each.id === at);
  const webhooks = useWebhooksOf(entry);
  const request = useMemo(
    () => (entry ? shownAfter(entry) : preview ? shownBefore(preview.request, facts.service) : undefined),
    [entry, preview, facts.service],
  );
  return (
    <Panels
      id={id}
      snapshot={snapshot}
      tab={tab}
      onTab={setTab}
      exchanges={exchanges}
      entry={entry}
      onEntry={(value) => setChosen({ id: value, of: last })}
      request={request}
      preview={preview}
      lit={lit}
      webhooks={webhooks}
      onClose={onClose}
    />
  );
}
