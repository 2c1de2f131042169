import { Button, chakra, Flex } from '@chakra-ui/react';
import type { WebhookPage } from '#machines/lab/resources.ts';
import { counted } from '#rules/counted.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { unreadWebhooks } from '#app/effects/timeline.ts';
import { useResource } from '#app/console/useResource.ts';
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
  const { actor, known: page, acting, failure, unread } = useResource(unreadWebhooks);
  const problem = failure ?? unread;
  if (!page || (page.total === 0 && page.lost === 0)) return problem && <FailurePanel problem={problem} />;

  return (
    <Stack as="section" aria-label="Unread webhooks" gap="2" px="5" py="1" borderBottomWidth="1px">
      <Flex columnGap="3" wrap="wrap" align="start" justify="space-between" fontSize="sm">
        <chakra.details flex="1 1 20rem" minWidth="0">
          <chakra.summary cursor="pointer" py="1">
            {said(page)}
          </chakra.summary>
          <JsonView value={page.data} what="webhooks" />
        </chakra.details>
        <Button
          size="sm"
          aria-disabled={acting !== null}
          onClick={() => actor.send({ type: 'act', act: 'mark', ids: page.data.map(({ id }) => id) })}
        >
          {acting ? 'Marking …' : 'Mark as read'}
        </Button>
      </Flex>
      {problem && <FailurePanel problem={problem} />}
    </Stack>
  );
}
