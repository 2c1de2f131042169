import { Box, Button, Text } from '@chakra-ui/react';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import type { Alternative } from '#contract/facts.ts';
import { initialFocus } from '#ui/Dialog.tsx';
import { outcomeText } from '#ui/outcomeWords.ts';
import { selectionOf } from '#machines/subscription/switching.ts';
import { useSend } from '../console/console.tsx';
import { switching } from '../effects/select.ts';

/** Offers to continue with another stored subscription and reports a failure to do so. */
export function SwitchSubscription({ alternative }: { alternative: Alternative }) {
  const tell = useSend();
  const actor = useActorRef(switching);
  useEffect(() => {
    const telling = actor.on('facts.changed', () => tell({ type: 'subscription.switched' }));
    const reading = actor.on('facts.stale', () => tell({ type: 'facts.stale' }));
    return () => {
      telling.unsubscribe();
      reading.unsubscribe();
    };
  }, [actor, tell]);
  const failure = useSelector(actor, ({ context }) => context.failure);
  const busy = useSelector(actor, (snapshot) => snapshot.matches('selecting'));
  const { subscription, provider } = alternative;
  return (
    <Box display="grid" gap="2" justifyItems="start">
      <Button
        variant="solid"
        {...initialFocus}
        py="1.5"
        aria-busy={busy}
        onClick={() => actor.send({ type: 'subscription.use', selection: selectionOf(alternative) })}
      >
        Use {provider?.name ?? 'another subscription'} instead
      </Button>
      <Text fontSize="sm" color="fg.muted" overflowWrap="anywhere">
        Subscription {subscription.subscriptionId}, {subscription.status}
      </Text>
      {failure && (
        <Text role="alert" color="failed">
          {failure.title}. {outcomeText(failure)} {failure.detail}
        </Text>
      )}
    </Box>
  );
}
