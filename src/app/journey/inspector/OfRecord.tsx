import { useMemo, useState } from 'react';
import type { AnyMachineSnapshot } from 'xstate';
import type { Made } from '#contract/facts.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { goalOf } from '#machines/lib/state.ts';
import { useTimeline, useWholeTimeline } from '#app/client/useTimeline.ts';
import { webhooksOf } from './exchanges.ts';
import { Panels, type TabId } from './Panels.tsx';
import { exchangesAbout, makingOf, type ShownRecord } from './records.ts';
import { RecordTab } from './RecordTab.tsx';
import { shownAfter } from './shownRequest.ts';

/** The calls about a resource, first the one that created it; for a row of a list, also its record. */
export function OfRecord(props: {
  id: JourneyId;
  snapshot: AnyMachineSnapshot;
  /** The row of a list, or the resource that the step shows as its result. */
  record: ShownRecord | null;
  made: Made | undefined;
  onClose: (() => void) | undefined;
}) {
  const { id, snapshot, record, made: result, onClose } = props;
  const about = record?.id ?? result?.id ?? '';
  const [tab, setTab] = useState<TabId | null>(null);
  const [chosen, setChosen] = useState<{ id: string; of: string }>();
  const latest = useTimeline({ text: about, kind: 'service' }, 50);
  // Other calls than those about a result's id do not belong to it; its own has its interaction id, which is stored.
  const of = record === null ? (result?.interactionId ?? '') : latest.createdBy;
  const own = useWholeTimeline({ interaction: of || about, kind: 'service' });
  const loading = [latest, own].some(({ state }) => state === 'loading');
  const entries = useMemo(
    () => [...new Map([...latest.entries, ...own.entries].map((each) => [each.id, each])).values()],
    [latest.entries, own.entries],
  );
  const hooks = useWholeTimeline({ text: about, kind: 'webhook' });
  const made = makingOf(entries, of);
  const exchanges = useMemo(() => exchangesAbout(entries, made), [entries, made]);
  const asked = chosen?.of === about ? exchanges.find((each) => each.id === chosen.id) : undefined;
  const entry = asked ?? made;
  const request = useMemo(() => entry && shownAfter(entry), [entry]);
  return (
    <Panels
      id={id}
      snapshot={snapshot}
      first={
        record !== null && {
          id: 'record',
          label: 'Record',
          content: <RecordTab record={record} made={made} loading={loading} onMade={() => setTab('request')} />,
        }
      }
      tab={tab}
      onTab={setTab}
      exchanges={exchanges}
      entry={entry}
      onEntry={(value) => setChosen({ id: value, of: about })}
      request={request}
      preview={null}
      lit=""
      webhooks={webhooksOf(entry, hooks.entries)}
      missing={loading ? 'The calls are being read.' : 'The call that created this is not recorded.'}
      here={record === null ? goalOf(snapshot) : undefined}
      onClose={onClose}
    />
  );
}
