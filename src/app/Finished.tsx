import { Box, Text } from '@chakra-ui/react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import type { JourneyId } from '#machines/journeys.ts';
import { Bar } from '#steps/kit/Bar.tsx';
import { Card } from '#steps/kit/Card.tsx';
import { chunk } from '#steps/kit/chunk.ts';
import type { Opened } from './another.ts';
import { useConsole, useFacts, useSend } from './console.tsx';
import { offers } from './offer.tsx';
import { madeBy } from './results.ts';

const ResultOf = lazy(() => chunk(async () => import('./ResultOf.tsx')));

/** The effect of creating a second record, for journeys whose chart does not ask for confirmation. */
const second: Partial<Record<JourneyId, { label: string; effect: string }>> = {
  subscription: {
    label: 'Create another',
    effect:
      'Another subscription becomes the current one and begins without debtors and creditors. This one keeps its own, and can be selected again in the list.',
  },
  debtor: {
    label: 'Create another',
    effect: 'Another debtor is one more bank account to pay from. This one stays.',
  },
  creditor: { label: 'Create another', effect: 'Another creditor is one more to be paid. This one stays.' },
  electronicPayment: {
    label: 'Pay another',
    effect: 'Another batch is followed in its place. This one stays in the list of payments.',
  },
};
second.bankSubscription = second.subscription!; // defined above
second.filePayment = second.electronicPayment!;

/**
 * For a step that was already done when it was opened from the guided path, shows its result and offers the form as a
 * second choice. Otherwise renders `children`, the step.
 */
export function Finished({ id, children }: { id: JourneyId; children: ReactNode }) {
  const send = useSend();
  const facts = useFacts();
  const state = useConsole(({ value }) => value);
  const opened = (useLocation().state as Opened | null)?.another ?? false; // only this program writes it
  const [asks, setAsks] = useState(() => offers.includes(state) && !opened);
  const made = facts && madeBy(id, facts);
  const choice = second[id];
  if (!asks || !made || !choice || !offers.includes(state)) return children;
  return (
    <Box display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)" maxWidth="form">
      <Suspense fallback={<Card minHeight="9rem" />}>
        <ResultOf id={id} made={made} facts={facts} />
      </Suspense>
      <Text color="fg.muted" fontSize="sm">
        {choice.effect}
      </Text>
      <Bar
        leave={[{ label: 'Close', onPress: () => send({ type: 'result.close' }) }]}
        secondary={[{ label: choice.label, onPress: () => setAsks(false) }]}
      />
    </Box>
  );
}
