import { Box, Button, Flex, Heading, Link as TextLink, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { bankProviderName } from '#contract/constants.ts';
import {
  approvalOf,
  authoriseBlocked,
  hasEnded,
  newsOf,
  type Approval,
  type SubscriptionRow,
} from '#machines/subscription/rows.ts';
import { addressOf } from '#machines/journeys.ts';
import { Bar } from '#ui/Bar.tsx';
import { wrapsBeside } from '#ui/cards.ts';
import { Id, ShortId } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { EmptyState } from '#ui/Details.tsx';
import type { Column } from '#ui/rows.ts';
import { withShortIds } from '#rules/shortId.ts';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Card } from '#ui/surfaces.tsx';
import { Time } from '#ui/Time.tsx';
import { useFrameHistory, AuthorisePage } from '../kit/AuthorisePage.tsx';
import { pauseId, pauseOf, RowActions, type AuthorisationActor } from './RowAction.tsx';
import { UpdateForm } from './UpdateForm.tsx';

/** Links to the creation of a new subscription in place of one that has ended. */
function CreateAnother({ row: { subscriptionId, providerName } }: { row: SubscriptionRow }) {
  const { pathname, search } = useLocation();
  const journey = providerName === bankProviderName ? 'bankSubscription' : 'subscription';
  return (
    <Text fontSize="sm">
      <TextLink asChild>
        <Link
          to={addressOf(journey, { then: pathname + search })}
          aria-label={`Create another subscription in place of ${subscriptionId}`}
        >
          Create another
        </Link>
      </TextLink>
    </Text>
  );
}

const statusOf = ({ status }: SubscriptionRow): string => status;

/** The columns of the subscription list (behaviour, section 2), with the actions of each row. */
const columnsFor = (actor: AuthorisationActor): Column<SubscriptionRow>[] => [
  {
    id: 'subscriptionId',
    title: 'SubscriptionId',
    text: ({ subscriptionId }) => subscriptionId,
    cell: ({ subscriptionId, current }) => (
      <Flex gap="2" align="center" wrap={{ base: 'wrap', md: 'nowrap' }} css={wrapsBeside} rowGap="0">
        <Id value={subscriptionId} what="the subscription id" />
        {current && <Badge tone="next">Current</Badge>}
      </Flex>
    ),
  },
  {
    id: 'providerId',
    title: 'ProviderId',
    detail: true,
    text: ({ providerName, providerId }) => `${providerName} ${providerId}`.trim(),
    cell: ({ providerId, providerName }) => (
      <div>
        <Id value={providerId} what="the provider id" />
        <Text color="fg.muted" lineHeight="xs">
          {providerName}
        </Text>
      </div>
    ),
  },
  { id: 'useMock', title: 'Mock Provider', detail: true, text: ({ useMock }) => (useMock === 'true' ? 'Yes' : 'No') },
  {
    id: 'status',
    title: 'Status',
    text: ({ status, suspended }) => (suspended ? `${status}, suspended by you` : status),
    cell: (row) => (
      <>
        <Badge tone={toneOf(row.status)}>{row.status}</Badge>
        {row.suspended && <Text color="fg.muted">Suspended by you</Text>}
        {row.unread && (
          <Text color="failed" whiteSpace="normal">
            As last seen. {row.unread}
          </Text>
        )}
        {row.pending && (
          <Text color="fg.muted" whiteSpace="normal">
            An update is waiting for the provider’s webhook
            {!row.pending.forwarded && '; the outcome is unknown'}
          </Text>
        )}
        {hasEnded(row) && <CreateAnother row={row} />}
      </>
    ),
  },
  {
    id: 'actions',
    // The words of the specification's columns; the menu holds the actions.
    title: 'Auth, Update, Suspend',
    cell: (row) => <RowActions actor={actor} row={row} />,
  },
];

/** Replaces the empty list; links to the creation of a subscription, which returns here. */
function NoSubscriptions() {
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      action={
        <Button asChild>
          <Link to={addressOf('subscription', { then: pathname + search })}>Create a subscription</Link>
        </Button>
      }
    >
      No subscriptions yet.
    </EmptyState>
  );
}

/** What the current subscription needs, above the list: approval at its provider, or another provider. */
function CurrentCard({ approval: { row, need, title } }: { approval: Approval }) {
  return (
    <Card as="section" aria-label={title} size="lg" maxWidth="form">
      <Flex gap="3" align="center" justify="space-between" wrap="wrap">
        <Box minWidth="0">
          <Heading as="h2">{title}</Heading>
          <Text fontSize="sm" color="fg.muted">
            <ShortId value={row.subscriptionId} /> · Updated <Time at={row.readAt} />
          </Text>
        </Box>
        <Badge tone={toneOf(row.status)}>{row.status}</Badge>
      </Flex>
      <Text pt="3">
        {need === 'replace'
          ? 'It can make no payments. Choose another provider to continue.'
          : authoriseBlocked(row) ||
            'Open the approval page and approve the connection. Payments are possible afterwards.'}
      </Text>
    </Card>
  );
}

/** The primary action for the current subscription. */
function useApprove(actor: AuthorisationActor, approval: Approval | null, pause: string) {
  const { pathname, search } = useLocation();
  const id = approval?.row.subscriptionId ?? '';
  const event = { type: 'subscription.authorise', id } as const;
  const may = useSelector(actor, (snapshot) => snapshot.can(event));
  if (!approval) return null;
  const { row, need } = approval;
  if (need === 'replace')
    return { label: 'Choose another provider', to: addressOf('subscription', { then: pathname + search }) };
  return {
    label: 'Open approval page',
    rests: may ? '' : pause || authoriseBlocked(row),
    onPress: () => actor.send(event),
    ...(!row.framed && { opens: row.authorise }),
  };
}

/** The buttons for the list as a whole, and for the current subscription. */
function ListActions({ actor, approval }: { actor: AuthorisationActor; approval: Approval | null }) {
  const mayCheck = useSelector(actor, (snapshot) => snapshot.can({ type: 'retry' }));
  const pause = useSelector(actor, pauseOf);
  const primary = useApprove(actor, approval, pause);
  return (
    <Bar
      primary={primary}
      leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]}
      secondary={[{ label: 'Refresh', rests: mayCheck ? '' : pause, onPress: () => actor.send({ type: 'retry' }) }]}
    />
  );
}

/** The subscription list (behaviour, section 2: /subscriptionlist). */
export function AuthorisationStep({ actor }: { actor: AuthorisationActor }) {
  const rows = useSelector(actor, ({ context }) => context.rows);
  const approval = useMemo(() => approvalOf({ rows }), [rows]);
  const chosen = useSelector(actor, ({ context }) => context.chosen);
  const overdue = useSelector(actor, ({ context }) => context.overdue);
  const watching = useSelector(actor, (snapshot) => snapshot.matches('watching'));
  const pause = useSelector(actor, pauseOf);
  const told = useSelector(actor, (snapshot) =>
    snapshot.matches('listing') || snapshot.matches('turned') ? newsOf(snapshot.context) : '',
  );
  const updating = useSelector(actor, (snapshot) => snapshot.matches('updating'));
  const columns = useMemo(() => columnsFor(actor), [actor]);
  const news = useRef<HTMLParagraphElement>(null);
  useFrameHistory(watching);
  // When the authorise page or the form closes, the focus moves from it to the news.
  const beside = watching || updating;
  useEffect(() => (beside ? () => news.current?.focus() : undefined), [beside]);
  return (
    <Box display="grid" gap="4">
      <Text ref={news} id={pauseId} role="status" tabIndex={-1} minHeight="6" title={told || undefined}>
        {pause || withShortIds(told)}
      </Text>
      {watching && chosen ? (
        <AuthorisePage
          key={chosen.subscriptionId}
          provider={chosen.providerName}
          link={chosen.authorise}
          issue={chosen.issuedAt}
          framed={chosen.framed}
          onClose={() => actor.send({ type: 'authorise.close' })}
        >
          Subscription <ShortId value={chosen.subscriptionId} /> is {chosen.status}. Updated <Time at={chosen.readAt} />
          .{overdue && ' Still waiting. You can leave. Select “Refresh” to check now.'}
        </AuthorisePage>
      ) : (
        approval && <CurrentCard approval={approval} />
      )}
      <DataTable
        caption={['subscription', 'subscriptions']}
        columns={columns}
        rows={rows}
        rowKey={({ subscriptionId }) => subscriptionId}
        inspects={({ subscriptionId }) => `subscription ${subscriptionId}`}
        statusOf={statusOf}
        address=""
        empty={<NoSubscriptions />}
      />
      {updating && chosen && <UpdateForm key={chosen.subscriptionId} actor={actor} row={chosen} />}
      {!updating && <ListActions actor={actor} approval={watching ? null : approval} />}
    </Box>
  );
}
