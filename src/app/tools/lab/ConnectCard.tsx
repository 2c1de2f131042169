import { Box, chakra, Heading, Link, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { ProgramTokenShown } from '#contract/programShapes.ts';
import { programPath } from '#contract/programs.ts';
import type { FollowedVerdict } from '#machines/lab/resources.ts';
import { StatusDot } from '#ui/Badge.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { Card } from '#ui/surfaces.tsx';
import { Time } from '#ui/Time.tsx';
import { CopyableText } from './CopyableText.tsx';

function Item({ isDone, name, children }: { isDone: boolean; name: string; children: ReactNode }) {
  return (
    <chakra.li display="grid" gridTemplateColumns="auto minmax(0, 1fr) auto" gap="3" alignItems="center">
      <StatusDot tone={isDone ? 'done' : 'idle'} word={isDone ? 'Done' : 'Not yet'} />
      <span>{name}</span>
      <Text as="span" color="fg.muted" overflowWrap="anywhere" textAlign="end">
        {children}
      </Text>
    </chakra.li>
  );
}

/** As high as the card with a program that has not called yet. */
export const ConnectSkeleton = () => (
  <Card size="md" height="16.25rem">
    <Skeleton lines={2} />
  </Card>
);

/** The steps of connecting a program, checked off as it calls, and the address that it calls. */
export function ConnectCard({ tokens, followed }: { tokens: readonly ProgramTokenShown[]; followed: FollowedVerdict }) {
  const { connection, webhookAt } = followed;
  const token = tokens.find(({ expired }) => !expired);
  const usedAt = tokens.flatMap((each) => each.usedAt || []).sort()[0] ?? '';
  const calledAt = connection?.call?.at ?? usedAt;
  const isPaid = (connection?.payment?.status ?? 0) >= 200 && (connection?.payment?.status ?? 0) < 300;
  return (
    <Card as="section" aria-labelledby="program-connect" size="md" gap="3">
      <Heading as="h2" size="md" id="program-connect">
        Connect
      </Heading>
      <chakra.ol listStyleType="none" display="grid" gap="2" fontSize="sm">
        <Item isDone={token !== undefined} name="Token created">
          {token?.name ?? <Link href="#program-tokens">Create one</Link>}
        </Item>
        <Item isDone={calledAt !== ''} name="First call">
          {calledAt !== '' && <Time at={calledAt} />}
        </Item>
        {connection && (
          <>
            <Item isDone={isPaid} name="First payment">
              {connection.payment && (connection.payment.status === 0 ? 'no response' : connection.payment.status)}
            </Item>
            <Item isDone={webhookAt !== ''} name="First webhook answered">
              {webhookAt === '' ? (
                <Link asChild>
                  <RouterLink to="/sandbox#lab-receiver">Set address</RouterLink>
                </Link>
              ) : (
                <Time at={webhookAt} />
              )}
            </Item>
          </>
        )}
      </chakra.ol>
      <Box>
        <Text fontSize="xs" color="fg.muted">
          Base URL
        </Text>
        <CopyableText text={location.origin + programPath} what="the base URL" />
      </Box>
    </Card>
  );
}
