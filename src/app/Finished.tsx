import { Box, Text } from '@chakra-ui/react';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import type { Made } from '#contract/facts.ts';
import { own } from '#contract/member.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { Bar } from '#steps/kit/Bar.tsx';
import type { Opened } from './another.ts';
import { useConsole, useFacts, useSend } from './console.tsx';
import { offers } from './offer.tsx';
import { madeBy } from './results.ts';
import { Known } from './Known.tsx';
import { ResultOf } from './ResultOf.tsx';

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

/** The earlier result of a repeatable step, and whether it is shown instead of the step. */
interface Before {
  made: Made | undefined;
  shown: boolean;
  /** Whether the user is making another record: the offer of the next step belongs to the earlier one. */
  another: boolean;
  /** Shows the step. */
  open: () => void;
}

/**
 * For a step that was already done when it was opened from the guided path: its result is shown instead of the step
 * until the user asks for another one. `ready`: the step has been opened.
 */
export function useBefore(id: JourneyId, ready: boolean): Before {
  const state = useConsole(({ value }) => value);
  const opened = (useLocation().state as Opened | null)?.another ?? false; // only this program writes it
  const [asks, setAsks] = useState<boolean>();
  // Decided once: what the step creates later is not an earlier result.
  if (ready && asks === undefined) setAsks(offers.includes(state) && !opened);
  const made = useConsole(({ context }) => (context.facts && own(second, id) ? madeBy(id, context.facts) : undefined));
  const shown = asks === true && made !== undefined && offers.includes(state);
  return {
    made,
    shown,
    another: ready && own(second, id) && !shown && state !== 'returning',
    open: () => setAsks(false),
  };
}

/**
 * For a step that was already done, shows its result and offers the form as a secondary action; once the user asks for
 * the form, shows the last result above it. Otherwise renders `children`, the step.
 */
export function Finished(props: {
  id: JourneyId;
  before: Before;
  /** The step shows its form. */
  form: boolean;
  children: ReactNode;
}) {
  const { id, before, form, children } = props;
  const send = useSend();
  const facts = useFacts();
  const { made, shown, open } = before;
  const choice = second[id];
  if (!made || !choice || !facts) return children;
  if (!shown)
    return (
      <>
        {form && <Known id={id} made={made} />}
        {children}
      </>
    );
  return (
    <Box display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)" maxWidth="form">
      <ResultOf id={id} made={made} facts={facts} />
      <Text color="fg.muted" fontSize="sm">
        {choice.effect}
      </Text>
      <Bar
        leave={[{ label: 'Close', onPress: () => send({ type: 'result.close' }) }]}
        secondary={[{ label: choice.label, onPress: open }]}
      />
    </Box>
  );
}
