import { Box, chakra } from '@chakra-ui/react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { AnyMachineSnapshot } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { stateOf } from '#machines/state.ts';
import { chunk } from '#steps/kit/chunk.ts';
import { withShortIds } from '#steps/kit/shortId.ts';
import { Skeleton } from '#steps/kit/Skeleton.tsx';
import { useFacts } from '../console.tsx';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { useTimeline } from '../timeline/useTimeline.ts';
import { CodeTab } from './CodeTab.tsx';
import { exchangesOf, webhooksOf } from './exchanges.ts';
import { inspected, previewOf, type Preview } from './previews.ts';
import { RequestTab } from './RequestTab.tsx';
import { ResponseTab } from './ResponseTab.tsx';
import { pathOf, shownAfter, shownBefore } from './shown.ts';
import type { InspectorProps } from './slot.ts';
import { Tabs } from './Tabs.tsx';
import { useLitField } from './useLitField.ts';
import { WebhookTab } from './WebhookTab.tsx';

const ChartTab = lazy(() => chunk(async () => ({ default: (await import('./ChartTab.tsx')).ChartTab })));

type TabId = 'request' | 'response' | 'webhook' | 'code' | 'chart';

/** The id of the request that is about to be sent, in the list of requests already sent. */
const next = 'next';

/** The id of the request shown first: the one about to be sent while the form is open, otherwise the one sent last. */
const lookedAt = (snapshot: AnyMachineSnapshot, preview: Preview | null, last: TimelineEntry | undefined): string => {
  // A step that has made something shows the request that made it until the user asks for another one.
  const isOpen = (snapshot.hasTag('form') || snapshot.hasTag('list')) && !snapshot.hasTag('failed') && !snapshot.hasTag('told') && !snapshot.can({ type: 'another.create' }); // prettier-ignore
  // Reads are repeated automatically, so the last exchange is more useful than a preview.
  const isRead = preview?.request.method === 'GET';
  return (preview && isOpen && !isRead) || !last ? next : last.id;
};

const timeOf = (iso: string): string => new Date(iso).toLocaleTimeString('en-GB');

function Calls(props: {
  exchanges: readonly TimelineEntry[];
  preview: boolean;
  value: string;
  onChange: (id: string) => void;
}) {
  const { exchanges, preview, value, onChange } = props;
  return (
    <chakra.label display="flex" gap="2" alignItems="center" px="5" pt="3" fontSize="xs" color="fg.muted">
      Call
      <chakra.select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        flex="1"
        minWidth="0"
        height="7"
        px="1"
        fontFamily="mono"
        fontSize="xs"
        color="fg"
        bg="bg"
        borderWidth="1px"
        borderColor="border.control"
        borderRadius="sm"
      >
        {preview && <option value={next}>The next one</option>}
        {exchanges.map(({ id, at, method, url, status }) => (
          <option key={id} value={id}>
            {timeOf(at)} {status || 'no answer'} {method} {withShortIds(pathOf(url))}
          </option>
        ))}
      </chakra.select>
    </chakra.label>
  );
}

function Opened({ id, snapshot, facts }: Omit<InspectorProps, 'journey'> & { facts: Facts }) {
  const { calls } = inspected[id];
  const [tab, setTab] = useState<TabId | null>(null);
  const [chosen, setChosen] = useState<{ id: string; of: string }>();
  const lit = useLitField();
  const passed = useTimeline({ journey: id, kind: 'call,service' }, 50);
  const hooks = useTimeline({ kind: 'webhook' }, 50);
  const exchanges = useMemo(() => exchangesOf(passed.entries, calls), [passed.entries, calls]);
  const preview = useMemo(() => previewOf(id, snapshot, facts), [id, snapshot, facts]);
  // The user's selection is kept until another request is sent.
  const last = exchanges[0]?.id ?? '';
  const at = chosen?.of === last ? chosen.id : lookedAt(snapshot, preview, exchanges[0]);
  const entry = exchanges.find((each) => each.id === at);
  const request = useMemo(
    () => (entry ? shownAfter(entry) : preview ? shownBefore(preview.request, facts.service) : undefined),
    [entry, preview, facts.service],
  );
  const answered = entry ?? exchanges[0];
  const webhooks = webhooksOf(answered, hooks.entries);
  const open = tab ?? (entry ? 'response' : 'request');
  const count = webhooks.length;
  return (
    <>
      <Tabs<TabId>
        label="Inspector"
        open={open}
        onOpen={setTab}
        tabs={[
          {
            id: 'request',
            label: 'Request',
            content: (
              <RequestTab
                request={request}
                entry={entry}
                sending={snapshot.hasTag('busy') && snapshot.hasTag('form')}
                lit={entry || lit === '' ? undefined : preview?.lineOf(lit)}
                later={entry ? undefined : preview?.later}
              />
            ),
          },
          { id: 'response', label: 'Response', content: <ResponseTab entry={answered} /> },
          {
            id: 'webhook',
            label: count === 0 ? 'Webhook' : `Webhook${count > 1 ? 's' : ''} ${count}`,
            content: <WebhookTab of={answered} webhooks={webhooks} />,
          },
          { id: 'code', label: 'Code', content: <CodeTab request={request} /> },
          { id: 'chart', label: 'Chart', content: <ChartTab id={id} here={stateOf(snapshot)} /> },
        ]}
        under={
          exchanges.length > (preview ? 0 : 1) &&
          open !== 'chart' && (
            <Calls
              exchanges={exchanges}
              preview={preview !== null}
              value={entry?.id ?? next}
              onChange={(value) => setChosen({ id: value, of: last })}
            />
          )
        }
      />
    </>
  );
}

/**
 * The step's requests to the service, not the console's own calls. Before sending, the request that the form produces;
 * afterwards the sent request, its answer and the webhooks that followed.
 */
export function Inspector({ id, snapshot }: InspectorProps) {
  const facts = useFacts();
  return (
    <Box as="section" aria-label="Inspector" minWidth="0" minHeight="full" bg="bg.subtle">
      <ErrorBoundary>
        <Suspense fallback={<Skeleton lines={6} />}>
          {facts && <Opened key={id} id={id} snapshot={snapshot} facts={facts} />}
        </Suspense>
      </ErrorBoundary>
    </Box>
  );
}
