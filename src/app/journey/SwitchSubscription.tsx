import { Box, Button, Text } from '@chakra-ui/react';
import { useCallback } from 'react';
import type { Alternative } from '#contract/facts.ts';
import { initialFocus } from '#ui/Dialog.tsx';
import { outcomeText } from '#ui/outcomeWords.ts';
import { selectionOf } from '#machines/subscription/switching.ts';
import { useSend } from '../console/ConsoleProvider.tsx';
import { useResource } from '../console/useResource.ts';
import { switching } from '../effects/subscription.ts';

/** Offers to continue with another stored subscription and reports a failure to do so. */
export function SwitchSubscription({ alternative }: { alternative: Alternative }) {
  const tell = useSend();
  const { actor, acting, failure } = useResource(switching, {
    acted: useCallback(() => tell({ type: 'subscription.switched' }), [tell]),
  });
  const { subscription, provider } = alternative;
  return (
    <Box display="grid" gap="2" justifyItems="start">
      <Button
        variant="solid"
        {...initialFocus}
        py="1.5"
        aria-busy={acting !== null}
        onClick={() => actor.send({ type: 'act', act: 'use', selection: selectionOf(alternative) })}
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
