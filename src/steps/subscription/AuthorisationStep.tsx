import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import {
  approvalOf,
  authoriseBlocked,
  newsOf,
  type Approval,
  type SubscriptionRow,
} from '#machines/subscription/rows.ts';
import { approvalIn } from '#machines/subscription/approval.machine.ts';
import { addressOf } from '#machines/journeys.ts';
import { Bar } from '#ui/Bar.tsx';
import { ShortId } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { EmptyState } from '#ui/Details.tsx';
import { withShortIds } from '#rules/shortId.ts';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Card } from '#ui/surfaces.tsx';
import { Time } from '#ui/Time.tsx';
import { useFrameHistory, AuthorisePage } from '../kit/AuthorisePage.tsx';
import { columnsFor } from './columns.tsx';
import { pauseId, pauseOf, type AuthorisationActor } from './RowAction.tsx';
import { UpdateForm } from './UpdateForm.tsx';

const statusOf = ({ status }: SubscriptionRow): string => status;

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
    return {
      label: 'Choose another provider',
      to: addressOf('subscription', { another: true, then: pathname + search }),
    };
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
  const overdue = useSelector(actor, ({ context }) => approvalIn(context)?.overdue ?? false);
  const watching = useSelector(actor, (snapshot) => snapshot.matches('approving'));
  const pause = useSelector(actor, pauseOf);
  const told = useSelector(actor, (snapshot) =>
    snapshot.matches({ list: 'listing' }) || snapshot.matches({ list: 'turned' }) ? newsOf(snapshot.context) : '',
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
        wraps
        empty={<NoSubscriptions />}
      />
      {updating && chosen && <UpdateForm key={chosen.subscriptionId} actor={actor} row={chosen} />}
      {!updating && <ListActions actor={actor} approval={watching ? null : approval} />}
    </Box>
  );
}
