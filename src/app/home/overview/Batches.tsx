import { Box, Flex, Heading } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import type { BatchRecord } from '#contract/batch.ts';
import { journeyOf } from '#machines/journeys.ts';
import { outcomeWords, partsOf, standingOf, totalsIn, type Outcome } from '#rules/batch.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { StatusBadge } from '#ui/Badge.tsx';
import { clockMinute, namedMoment } from '#ui/dates.ts';
import { Money } from '#ui/plots/Money.tsx';
import { Card } from '#ui/surfaces.tsx';

/** Number of batches that are drawn. */
const shown = 6;

function Row({ record, currency, most }: { record: BatchRecord; currency: string; most: number }) {
  const { batchId, status, postedAt, amount } = record;
  const parts = partsOf(record, currency);
  const whole = totalsIn(amount).find((each) => each.currency === currency)?.amount ?? '0';
  const at = new Date(postedAt);
  const said = parts.map(({ outcome, text }) => `${groupedAmounts(text)} ${outcomeWords[outcome]}`).join(', ');
  const to = `${journeyOf('batch').path}?${new URLSearchParams({ batchId }).toString()}`;
  return (
    <Box
      as="li"
      position="relative"
      display="grid"
      gridTemplateColumns={{ base: '3.5rem minmax(max-content, 1fr) auto', sm: '3.5rem minmax(0, 1fr) 7rem 14rem' }}
      columnGap="4"
      rowGap="1"
      alignItems="center"
      minHeight="11"
      py="2"
      px="5"
      borderTopWidth="1px"
      fontSize="sm"
      _hover={{ bg: 'bg.subtle' }}
    >
      <RouterLink
        to={to}
        aria-label={`Batch of ${clockMinute(at)}: ${groupedAmounts(`${whole} ${currency}`)}, ${said}`}
      >
        <Box as="span" position="absolute" inset="0" />
        <time dateTime={postedAt} title={namedMoment(at)}>
          {clockMinute(at)}
        </time>
      </RouterLink>
      <Box gridRow={{ base: 2, sm: 'auto' }} gridColumn={{ base: '1 / -1', sm: 'auto' }}>
        <Money
          parts={parts.map(({ outcome, text }) => ({ outcome, amount: Number(text) }))}
          label={said}
          height="3"
          share={most > 0 ? Number(whole) / most : 1}
        />
      </Box>
      <Box textAlign="end" fontVariantNumeric="tabular-nums">
        {groupedAmounts(`${whole} `).trim()}
      </Box>
      <div>
        <StatusBadge {...standingOf(status, record.totals)} />
      </div>
    </Box>
  );
}

/** The last batches, one group for each currency: the amount of each by what has become of it. */
export function Batches({ batches }: { batches: readonly BatchRecord[] }) {
  const last = batches.toReversed().slice(0, shown);
  const currencies = [...new Set(last.flatMap(({ amount }) => totalsIn(amount).map(({ currency }) => currency)))];
  return currencies.map((currency) => {
    const own = last.filter(({ amount }) => totalsIn(amount).some((each) => each.currency === currency));
    const amounts = own.map(({ amount }) =>
      Number(totalsIn(amount).find((each) => each.currency === currency)?.amount),
    );
    return (
      <Card key={currency} as="section" aria-labelledby={`batches-${currency}`} p="0">
        <Flex align="center" justify="space-between" gap="3" px="5" py="3" wrap="wrap">
          <Heading as="h2" id={`batches-${currency}`}>
            Batches, {currency}
          </Heading>
          <Flex columnGap="4" wrap="wrap" fontSize="sm" color="fg.muted" whiteSpace="nowrap" aria-hidden="true">
            {(Object.keys(outcomeWords) as Outcome[]).map((outcome) => (
              // its own keys
              <Flex key={outcome} gap="1.5" align="center">
                <Box width="14px" flex="none">
                  <Money parts={[{ amount: 1, outcome }]} label="" height="3" />
                </Box>
                {outcomeWords[outcome]}
              </Flex>
            ))}
          </Flex>
        </Flex>
        <Box as="ol" listStyleType="none">
          {own.map((record) => (
            <Row key={record.batchId} record={record} currency={currency} most={Math.max(...amounts)} />
          ))}
        </Box>
      </Card>
    );
  });
}
