import { Box, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useMemo, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { lastHour, type LastHour as Hour } from '#rules/traffic.ts';
import { durationText } from '#rules/duration.ts';
import { counted } from '#rules/counted.ts';
import { clockMinute } from '#ui/dates.ts';
import { Bars } from '#ui/plots/Bars.tsx';
import { Dots } from '#ui/plots/Dots.tsx';
import { Latency } from '#ui/plots/Latency.tsx';
import { Plot } from '#ui/plots/Plot.tsx';
import { useNow } from '#ui/ticks.ts';
import { Card } from '#ui/surfaces.tsx';
import { useWholeTimeline } from '#app/client/useTimeline.ts';

const timeAt = (ms: number): string => clockMinute(new Date(ms));

/** One plot with its name and its numbers above. */
function Panel(props: { name: string; figures: ReactNode; children: ReactNode }) {
  const { name, figures, children } = props;
  return (
    <Box
      px="5"
      py="4"
      minWidth="0"
      borderInlineStartWidth={{ md: '1px' }}
      borderTopWidth={{ base: '1px', md: '0' }}
      _first={{ borderInlineStartWidth: '0', borderTopWidth: '0' }}
    >
      <Heading as="h3" size="sm" fontWeight="normal" color="fg.muted">
        {name}
      </Heading>
      <Flex
        columnGap="3"
        align="baseline"
        wrap="wrap"
        minHeight="6"
        fontSize="sm"
        color="fg.muted"
        fontVariantNumeric="tabular-nums"
      >
        {figures}
      </Flex>
      {children}
    </Box>
  );
}

const Figure = ({ children }: { children: ReactNode }) => (
  <Text as="span" fontSize="lg" fontWeight="semibold" color="fg">
    {children}
  </Text>
);

const Failed = ({ count, to }: { count: number; to: string }) =>
  count > 0 && (
    <Link asChild color="failed">
      <RouterLink to={to}>✕ {count} failed</RouterLink>
    </Link>
  );

function Calls({ calls: { total, failed, bins } }: Hour) {
  const busiest = Math.max(...bins.map((bin) => bin.total));
  const worst = bins.reduce((most, bin) => (bin.failed > most.failed ? bin : most));
  const said = total === 0 ? 'No calls in the last hour.' : '';
  const failures = failed > 0 ? `; ${failed} failed, ${worst.failed} of them at ${timeAt(worst.from)}` : '';
  return (
    <Panel
      name="Calls"
      figures={
        <>
          <Figure>{total}</Figure>
          <Failed count={failed} to="/timeline?failed=true" />
        </>
      }
    >
      <Plot
        empty={said}
        label={said || `${counted(total, 'call')} in the last hour, at most ${busiest} a minute${failures}`}
      >
        <Bars
          columns={bins.map((bin) => ({
            key: bin.from,
            total: bin.total,
            failed: bin.failed,
            title: `${timeAt(bin.from)}: ${counted(bin.total, 'call')}${bin.failed > 0 ? `, ${bin.failed} failed` : ''}`,
          }))}
        />
      </Plot>
    </Panel>
  );
}

function Latencies({ calls, latency: { all, highest, bins } }: Hour) {
  const said = calls.total === 0 ? 'No calls in the last hour.' : '';
  const most = highest && `highest ${durationText(highest.ms)} at ${timeAt(Date.parse(highest.at))}`;
  return (
    <Panel
      name="Latency"
      figures={
        all ? (
          <>
            <Figure>{durationText(all.median)}</Figure>— median
            <Figure>{durationText(all.p95)}</Figure>
            <span>┄ 95th percentile</span>
          </>
        ) : (
          <Figure>{most ?? '0'}</Figure>
        )
      }
    >
      <Plot
        empty={said}
        label={
          said ||
          [all && `median ${durationText(all.median)}, 95th percentile ${durationText(all.p95)}`, most]
            .filter(Boolean)
            .join(', ')
        }
      >
        <Latency bins={bins.map(({ value }) => value)} />
      </Plot>
    </Panel>
  );
}

function Webhooks({ webhooks: { total, failed, bins } }: Hour) {
  const said = total === 0 ? 'No webhooks in the last hour.' : '';
  return (
    <Panel
      name="Webhooks"
      figures={
        <>
          <Figure>{total - failed}</Figure> delivered
          <Failed count={failed} to="/timeline?show=webhooks&failed=true" />
        </>
      }
    >
      <Plot empty={said} label={said || `${counted(total - failed, 'webhook')} delivered, ${failed} failed`}>
        <Dots
          columns={bins.map((bin) => ({
            key: bin.from,
            failed: bin.failed,
            title: `${timeAt(bin.from)}: ${counted(bin.failed.length, 'webhook')}`,
          }))}
        />
      </Plot>
    </Panel>
  );
}

/** The calls between console, service and programs in the last hour, and their webhooks; without the console's own reads. */
export function LastHour() {
  const { entries, state } = useWholeTimeline({ kind: 'service,program,webhook', reads: 'false', brief: 'true' });
  const now = useNow();
  const hour = useMemo(() => lastHour(entries, now, state === 'live'), [entries, now, state]);
  return (
    <Card as="section" aria-labelledby="last-hour" p="0">
      <Flex align="baseline" gap="3" px="5" py="3" borderBottomWidth="1px">
        <Heading as="h2" id="last-hour">
          Last hour
        </Heading>
        <Text fontSize="sm" color="fg.muted">
          {hour.since !== undefined && `since ${timeAt(hour.since)}`}
        </Text>
        <Link asChild fontSize="sm" ms="auto">
          <RouterLink to="/timeline">Timeline</RouterLink>
        </Link>
      </Flex>
      <Box display="grid" gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' }}>
        <Calls {...hour} />
        <Latencies {...hour} />
        <Webhooks {...hour} />
      </Box>
    </Card>
  );
}
