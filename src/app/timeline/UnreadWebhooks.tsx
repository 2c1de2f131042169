import { Button, chakra, Flex } from '@chakra-ui/react';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import type { WebhookPage } from '#machines/lab/unreadWebhooks.machine.ts';
import { counted } from '#rules/counted.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { useContextValues } from '#steps/kit/useContextValues.ts';
import { unreadWebhooks } from '../effects/timeline.ts';
import { useFacts } from '../console/console.tsx';
import { Stack } from '#ui/surfaces.tsx';

/** The number of unread webhooks, how many of them are shown, and how many were discarded. */
const said = ({ data, total, lost }: WebhookPage): string =>
  [
    ...(total === 0 ? [] : [`${counted(total, 'webhook')} not read by any page yet.`]),
    ...(data.length < total ? [`Shows the latest ${data.length}. Mark them as read to see older ones.`] : []),
    ...(lost > 0 ? [`${counted(lost, 'webhook')} deleted because too many were unread.`] : []),
  ].join(' ');

/** Unread webhooks, newest first, one page at a time, until they are marked as read. */
export function UnreadWebhooks() {
  const facts = useFacts();
  const actor = useActorRef(unreadWebhooks);
  const { page, failure } = useContextValues(actor, 'page', 'failure');
  const marking = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  useEffect(() => {
    if (facts) actor.send({ type: 'facts.arrived' });
  }, [actor, facts]);
  if (!page || (page.total === 0 && page.lost === 0)) return failure && <FailurePanel problem={failure} />;

  return (
    <Stack as="section" aria-label="Unread webhooks" gap="2" px="5" py="1" borderBottomWidth="1px">
      <Flex columnGap="3" wrap="wrap" align="start" justify="space-between" fontSize="sm">
        <chakra.details flex="1 1 20rem" minWidth="0">
          <chakra.summary cursor="pointer" py="1">
            {said(page)}
          </chakra.summary>
          <JsonView value={page.data} what="webhooks" />
        </chakra.details>
        <Button size="sm" aria-disabled={marking} onClick={() => actor.send({ type: 'webhooks.mark' })}>
          {marking ? 'Marking …' : 'Mark as read'}
        </Button>
      </Flex>
      {failure && <FailurePanel problem={failure} />}
    </Stack>
  );
}
