import { Box, Button, Text } from '@chakra-ui/react';
import { useMachine } from '@xstate/react';
import { useEffect } from 'react';
import type { Alternative } from '#contract/facts.ts';
import { selectionOf } from '#machines/subscription/switching.ts';
import { switching } from './ports/select.ts';

/** Offers to go on with another subscription that is kept here, and says so if that failed. */
export function SwitchSubscription(props: { alternative: Alternative; onSwitched: () => void }) {
  const { alternative, onSwitched } = props;
  const [snapshot, send] = useMachine(switching);
  const { failure } = snapshot.context;
  const switched = snapshot.matches('switched');
  useEffect(() => {
    if (switched) onSwitched();
  }, [switched, onSwitched]);
  const { subscription, provider } = alternative;
  return (
    <Box display="grid" gap="2" justifyItems="start">
      <Button
        variant="solid"
        aria-busy={snapshot.matches('selecting')}
        onClick={() => send({ type: 'subscription.use', selection: selectionOf(alternative) })}
      >
        Use {provider?.name ?? 'another subscription'} instead
      </Button>
      <Text fontSize="sm" color="fg.muted" overflowWrap="anywhere">
        Subscription {subscription.subscriptionId}, {subscription.status}
      </Text>
      {failure && (
        <Text role="alert" color="failed">
          {failure.title}. {failure.detail}
        </Text>
      )}
    </Box>
  );
}
