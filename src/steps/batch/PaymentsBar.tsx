import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { isFailure, statusOf } from '#contract/status.ts';
import { totalOf, type Outcome } from '#rules/batch.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { textAt } from '#rules/path.ts';
import { Money } from '#ui/plots/Money.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { amountOf, hasFailed, type PlacedPayment } from './payments.ts';

const outcomeOf = (placed: PlacedPayment): Outcome =>
  statusOf(placed.status) === 'Completed' ? 'paid' : hasFailed(placed) || isFailure(placed.status) ? 'failed' : 'open';

const words = { paid: 'paid', open: 'in progress', failed: 'failed' } as const;

/** What has become of the payments of one currency: "7 of 8 paid", the amounts, and a bar of the payments. */
function OfCurrency({ placed }: { placed: readonly PlacedPayment[] }) {
  const groups = (['paid', 'open', 'failed'] as const).map((outcome) => {
    const those = placed.filter((each) => outcomeOf(each) === outcome);
    return { outcome, count: those.length, amount: groupedAmounts(totalOf(those.map(({ payment }) => payment))) };
  });
  const said = groups.filter(({ count }) => count > 0);
  const [paid] = groups;
  const label = said.map(({ outcome, count, amount }) => `${count} ${words[outcome]}, ${amount}`).join('; ');
  return (
    <Stack gap="1">
      <Flex align="baseline" columnGap="3" wrap="wrap" fontSize="sm">
        <Heading as="h2">
          {paid?.count} of {placed.length} paid
        </Heading>
        {said.map(({ outcome, count, amount }) => (
          <Text
            key={outcome}
            as="span"
            color={outcome === 'failed' ? 'failed' : outcome === 'open' ? 'waiting' : 'fg.muted'}
            fontVariantNumeric="tabular-nums"
          >
            {outcome !== 'paid' && `${outcome === 'failed' ? '✕ ' : ''}${count} ${words[outcome]} `}
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
