import { useMemo, useState } from 'react';
import type { AnyMachineSnapshot } from 'xstate';
import type { Made } from '#contract/facts.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { goalOf } from '#machines/lib/state.ts';
import { entryOf, type Evidence } from './chosenEvidence.ts';
import { Panels, type TabId } from './Panels.tsx';
import { shownAfter } from './shownRequest.ts';
import { useWebhooksOf } from './useWebhooksOf.ts';

/** The call or the webhook of a history's line. */
export function OfEvidence(props: {
  id: JourneyId;
  snapshot: AnyMachineSnapshot;
  evidence: Evidence;
  /** The result that the page shows instead of the step. */
  made: Made | undefined;
  onClose: (() => void) | undefined;
}) {
  const { id, snapshot, evidence, made, onClose } = props;
  const { call, webhook } = evidence;
  const of = entryOf(evidence);
  const [opened, setOpened] = useState<{ tab: TabId; of: string }>();
  const hooks = useWebhooksOf(call);
  const request = useMemo(() => call && shownAfter(call), [call]);
  const initial = webhook ? 'webhook' : 'response';
  return (
    <Panels
      id={id}
      snapshot={snapshot}
      tab={opened?.of === of ? opened.tab : initial}
      onTab={(tab) => setOpened({ tab, of })}
      exchanges={call ? [call] : []}
      entry={call}
      onEntry={() => undefined}
      request={request}
      preview={null}
      lit=""
      webhooks={webhook ? [webhook] : hooks}
      missing="The call that this webhook answers is not recorded."
      here={made && goalOf(snapshot)}
      onClose={onClose}
    />
  );
}
