import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { isFailure, statusOf } from '#contract/status.ts';
import { counted } from '#rules/counted.ts';
import { isReturned } from '#rules/afterPaid.ts';
import { outcomeWords, returnedTotal, totalOf } from '#rules/batch.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { textAt } from '#rules/path.ts';
import { Money, type Part } from '#ui/plots/Money.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { amountOf, hasFailed, unknownStatus, type PlacedPayment } from './payments.ts';

function outcomeOf(placed: PlacedPayment): Part['outcome'] {
  if (statusOf(placed.status) === 'Completed') return 'paid';
  if (isReturned(placed.payment)) return 'returned';
  if (hasFailed(placed) || isFailure(placed.status)) return 'failed';
  return placed.status === unknownStatus ? 'unknown' : 'open';
}

const words = { ...outcomeWords, unknown: 'unknown' } as const;
const order = ['paid', 'open', 'unknown', 'returned', 'failed'] as const;

/** What has become of the payments of one currency: "7 of 8 paid", the amounts, and a bar of the payments. */
function OfCurrency({ placed }: { placed: readonly PlacedPayment[] }) {
  const groups = order.map((outcome) => {
    const those = placed.filter((each) => outcomeOf(each) === outcome);
    const payments = those.map(({ payment }) => payment);
    const back = outcome === 'returned' ? returnedTotal(payments) : '';
    const amount = [back, totalOf(payments)].filter(Boolean).map(groupedAmounts).join(' of ');
    return { outcome, count: those.length, amount };
  });
  const said = groups.filter(({ count }) => count > 0);
  const [paid] = groups;
  // What the service says nothing of may be paid as well.
  const isKnown = !said.some(({ outcome }) => outcome === 'unknown');
  const label = said.map(({ outcome, count, amount }) => `${count} ${words[outcome]}, ${amount}`).join('; ');
  return (
    <Stack gap="1">
      <Flex align="baseline" columnGap="3" wrap="wrap" fontSize="sm">
        <Heading as="h2">
          {isKnown ? `${paid?.count} of ${placed.length} paid` : counted(placed.length, 'payment')}
        </Heading>
        {said.map(({ outcome, count, amount }) => (
          <Text
            key={outcome}
            as="span"
            color={
              outcome === 'failed' ? 'failed' : outcome === 'open' || outcome === 'returned' ? 'waiting' : 'fg.muted'
            }
            fontVariantNumeric="tabular-nums"
          >
            {!(isKnown && outcome === 'paid') && `${outcome === 'failed' ? '✕ ' : ''}${count} ${words[outcome]} `}
            {amount}
          </Text>
        ))}
      </Flex>
      <Box py="1">
        <Money
          height="4"
          label={label}
          parts={placed.map((each) => ({
            // Only for the width: what is shown is the text of the service.
            amount: Number(textAt(each.payment, 'instructedAmount.amount')) || 0,
            outcome: outcomeOf(each),
            title: `${textAt(each.payment, 'creditor.name')}, ${groupedAmounts(amountOf(each.payment))}`,
          }))}
        />
      </Box>
    </Stack>
  );
}

/** What has become of a batch's payments, for each currency. */
export function PaymentsBar({ placed }: { placed: readonly PlacedPayment[] }) {
  const currencies = [...new Set(placed.map(({ payment }) => textAt(payment, 'instructedAmount.currency')))];
  return currencies.map((currency) => (
    <OfCurrency
      key={currency}
      placed={placed.filter(({ payment }) => textAt(payment, 'instructedAmount.currency') === currency)}
    />
  ));
}
