import { Box, Button, chakra, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import type { SubscriptionRow } from '#machines/subscription/authorisation.machine.ts';
import { Time } from '../kit/Time.tsx';

const Frame = chakra('iframe', {
  base: {
    width: 'full',
    height: '32rem',
    borderWidth: '1px',
    borderStyle: 'solid',
    borderColor: 'border.control',
    bg: 'bg',
  },
});

/**
 * The provider's authorise page while the subscription is watched: embedded if the provider permits it, else open in
 * another tab (behaviour, section 4).
 */
export function AuthorisePage({ row, onClose }: { row: SubscriptionRow; onClose: () => void }) {
  const { subscriptionId, providerName, framed, status, readAt, issuedAt } = row;
  // The page stays as it was opened: what is typed in it would be lost if a later reading's fresh link loaded it anew.
  const [opened, setOpened] = useState({ link: row.authorise, issuedAt, times: 1 });
  const expired = opened.issuedAt !== '' && issuedAt !== '' && issuedAt !== opened.issuedAt;
  const { link } = opened;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const page = `Authorise page of ${providerName || 'the provider'}`;
  return (
    <Box as="section" aria-label={page} display="grid" gap="3" borderTopWidth="1px" pt="4">
      <Heading as="h2" ref={heading} tabIndex={-1}>
        {page}
      </Heading>
      <Text>
        Subscription <code>{subscriptionId}</code> is {status}; last looked <Time at={readAt} />.
      </Text>
      {expired && (
        <Flex gap="3" align="center" wrap="wrap" role="status">
          <Text color="waiting">
            The link that this page was opened by has expired; the provider has given a fresh one.
          </Text>
          <Button onClick={() => setOpened({ link: row.authorise, issuedAt, times: opened.times + 1 })}>
            Use the fresh link
          </Button>
        </Flex>
      )}
      {framed ? (
        <Frame
          key={opened.times}
          src={link}
          title={page}
          referrerPolicy="no-referrer"
          sandbox="allow-forms allow-popups allow-same-origin allow-scripts"
        />
      ) : (
        <Text>
          The page is open in another tab.{' '}
          <Link href={link} target="_blank" rel="noopener">
            Open it again
          </Link>
        </Text>
      )}
      <div>
        <Button onClick={onClose}>Close the authorise page</Button>
      </div>
    </Box>
  );
}
