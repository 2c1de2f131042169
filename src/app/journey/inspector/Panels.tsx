import { Button } from '@chakra-ui/react';
import type { AnyMachineSnapshot } from 'xstate';
import type { Made } from '#contract/facts.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { nameOf, type JourneyId } from '#machines/journeys.ts';
import { hasTag, stateOf } from '#machines/lib/state.ts';
import type { Preview } from '#steps/preview.ts';
import { withShortIds } from '#rules/shortId.ts';
import { pathOf } from '#rules/url.ts';
import { Choice } from '#ui/Choice.tsx';
import { clockTime } from '#ui/dates.ts';
import { FieldLabel, FieldRoot } from '#ui/Field.tsx';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { isNewcomer } from '#app/frame/guidedRows.ts';
import { lazyRoute } from '#app/frame/lazyRoute.tsx';
import type { Evidence } from './chosenEvidence.ts';
import { RequestTab } from './RequestTab.tsx';
import { ResponseTab } from './ResponseTab.tsx';
import type { ShownRequest } from './shownRequest.ts';
import { Tabs, type Tab } from '#ui/Tabs.tsx';
import { WebhookTab } from './WebhookTab.tsx';

const CodeTab = lazyRoute(async () => (await import('./CodeTab.tsx')).CodeTab);
const ChartTab = lazyRoute(async () => (await import('#app/charts/ChartTab.tsx')).ChartTab);

export interface InspectorProps {
  id: JourneyId;
  snapshot: AnyMachineSnapshot;
  /** The id of the list's row whose record is shown; '' for none. */
  record?: string;
  /** The chosen line of a history. */
  evidence?: Evidence | null;
  /** The step's earlier result, if it is shown instead of the step. */
  made?: Made | undefined;
  /** Closes the inspector; absent where it is always open. */
  onClose?: (() => void) | undefined;
}

export type TabId = 'record' | 'request' | 'response' | 'webhook' | 'code' | 'chart';

/** The id of the request that is about to be sent, in the list of requests already sent. */
export const next = 'next';

function Calls(props: {
  exchanges: readonly TimelineEntry[];
  preview: boolean;
  value: string;
  onChange: (id: string) => void;
}) {
  const { exchanges, preview, value, onChange } = props;
  return (
    <FieldRoot px="5" pt="3" fontSize="sm" css={{ '--popover': '100%' }}>
      <FieldLabel>Call</FieldLabel>
      <Choice
        value={value}
        onChange={onChange}
        options={[
          ...(preview ? [{ value: next, label: 'New request' }] : []),
          ...exchanges.map(({ id, at, method, url, status }) => ({
            value: id,
            label: `${clockTime(new Date(at))} ${status || 'no response'} ${method} ${withShortIds(pathOf(url))}`,
          })),
        ]}
      />
    </FieldRoot>
  );
}

/** The close button at the end of the line of tabs. */
function Close({ onClose }: { onClose: () => void }) {
  return (
    <Button size="sm" variant="ghost" color="fg.muted" aria-label="Close inspector" onClick={onClose}>
      ×
    </Button>
  );
}

/** The inspector's tabs for one of the `exchanges`. */
export function Panels(props: {
  id: JourneyId;
  snapshot: AnyMachineSnapshot;
  /** The tab before the others. */
  first?: Tab<TabId> | false;
  /** The open tab; null for the default one. */
  tab: TabId | null;
  onTab: (tab: TabId) => void;
  exchanges: readonly TimelineEntry[];
  /** The exchange shown; undefined for the request that is about to be sent. */
  entry: TimelineEntry | undefined;
  onEntry: (id: string) => void;
  request: ShownRequest | undefined;
  preview: Preview | null;
  /** Name of the form field that has the focus; '' for none. */
  lit: string;
  webhooks: readonly TimelineEntry[];
  /** What is said in place of a call that is not recorded. */
  missing?: string | undefined;
  /** The state that the chart shows as the current one; by default that of the snapshot. */
  here?: string | undefined;
  onClose: (() => void) | undefined;
}) {
  const { id, snapshot, first, tab, onTab, exchanges, entry, onEntry, request, preview, lit, webhooks, here, onClose } =
    props;
  const { missing } = props;
  const count = webhooks.length;
  const name = nameOf(id);
  const facts = useFacts();
  // A read is only repeated: what it will send is what it has sent.
  const offersNext = preview !== null && !(preview.request.method === 'GET' && exchanges.length > 0);
  const tabs: Tab<TabId>[] = [
    ...(first ? [first] : []),
    {
      id: 'request',
      label: 'Request',
      content: (
        <RequestTab
          of={name}
          request={request}
          entry={entry}
          sending={hasTag(snapshot, 'busy') && hasTag(snapshot, 'form')}
          lit={entry || lit === '' ? undefined : preview?.lineOf(lit)}
          later={entry ? undefined : preview?.later}
          missing={missing}
        />
      ),
    },
    { id: 'response', label: 'Response', content: <ResponseTab of={name} entry={entry} missing={missing} /> },
  ];
  // A tab without content is left out.
  if (count > 0)
    tabs.push({
      id: 'webhook',
      label: count === 1 ? 'Webhook 1' : `Webhooks ${count}`,
      content: <WebhookTab of={entry} webhooks={webhooks} />,
    });
  if (request) tabs.push({ id: 'code', label: 'Code', content: <CodeTab id={id} request={request} /> });
  if (facts && !isNewcomer(facts))
    tabs.push({ id: 'chart', label: 'Chart', content: <ChartTab id={id} here={here ?? stateOf(snapshot)} /> });
  const usual = first ? first.id : entry ? 'response' : 'request';
  const open = tabs.find((each) => each.id === tab)?.id ?? usual;
  return (
    <Tabs<TabId>
      label="Inspector"
      open={open}
      onOpen={onTab}
      end={onClose && <Close onClose={onClose} />}
      tabs={tabs}
      under={
        exchanges.length > (offersNext || !entry ? 0 : 1) &&
        open !== 'chart' &&
        open !== 'record' && (
          <Calls exchanges={exchanges} preview={offersNext} value={entry?.id ?? next} onChange={onEntry} />
        )
      }
    />
  );
}
