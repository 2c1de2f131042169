import { useMemo, useState } from 'react';
import type { AnyMachineSnapshot } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';
import { goalOf } from '#machines/lib/state.ts';
import { useTimeline } from '../api/useTimeline.ts';
import { webhooksOf } from './exchanges.ts';
import { Panels, type TabId } from './Panels.tsx';
import { exchangesAbout, makingOf, type ShownRecord } from './records.ts';
import { RecordTab } from './RecordTab.tsx';
import { shownAfter } from './shownRequest.ts';

/** The entries about a record: the latest ones, and the successful writes, which may be older than many readings. */
function useAbout(id: string) {
  const latest = useTimeline({ id, kind: 'service' }, 50);
  const created = useTimeline({ id, kind: 'service', status: '201' }, 10);
  const accepted = useTimeline({ id, kind: 'service', status: '202' }, 100);
  const entries = useMemo(
    () => [
      ...new Map([latest, created, accepted].flatMap((list) => list.entries).map((each) => [each.id, each])).values(),
    ],
    [latest, created, accepted],
  );
  return { entries, loading: [latest, created, accepted].some(({ state }) => state === 'loading') };
}

/** The calls about a resource, first the one that created it; for a row of a list, also its record. */
export function OfRecord(props: {
  id: JourneyId;
  snapshot: AnyMachineSnapshot;
  /** The resource's id. */
  about: string;
  record: ShownRecord | null;
  onClose: (() => void) | undefined;
}) {
  const { id, snapshot, about, record, onClose } = props;
  const [tab, setTab] = useState<TabId | null>(null);
  const [chosen, setChosen] = useState<{ id: string; of: string }>();
  const { entries, loading } = useAbout(about);
  const hooks = useTimeline({ id: about, kind: 'webhook' }, 50);
  const exchanges = useMemo(() => exchangesAbout(entries), [entries]);
  const made = makingOf(entries);
  const asked = chosen?.of === about ? exchanges.find((each) => each.id === chosen.id) : undefined;
  const entry = asked ?? made ?? exchanges[0];
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
      here={record === null ? goalOf(snapshot) : undefined}
      onClose={onClose}
    />
  );
}
