import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { authoriseBlocked, suspendBlocked, type SubscriptionRow } from '#machines/authorisation.machine.ts';
import { addressOf } from '#machines/journeys.ts';
import { Id } from '../kit/CopyButton.tsx';
import { DataTable } from '../kit/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import type { Column } from '../kit/rows.ts';
import { StatusWord, toneOf } from '../kit/StatusWord.tsx';
import { AuthorisePage } from './AuthorisePage.tsx';
import { pauseId, pauseOf, RowAction, type AuthorisationActor } from './RowAction.tsx';
import { useFrameHistory } from './useFrameHistory.ts';

/** Ids break into two lines, so that the actions of a row stay in sight. */
const IdCell = ({ children }: { children: ReactNode }) => (
  <Box width="12rem" whiteSpace="normal">
    {children}
  </Box>
);

/** The columns of the specification's section 2; actions are offered row by row. */
const columnsFor = (actor: AuthorisationActor): Column<SubscriptionRow>[] => [
  {
    id: 'subscriptionId',
    title: 'SubscriptionId',
    text: ({ subscriptionId }) => subscriptionId,
    cell: ({ subscriptionId, current }) => (
      <IdCell>
        <Id value={subscriptionId} what="the subscription id" />
        <div>
          {current ? (
            <StatusWord tone="next">Current</StatusWord>
          ) : (
            <RowAction actor={actor} verb="select" id={subscriptionId} label="Select" />
          )}
        </div>
      </IdCell>
    ),
  },
  {
    id: 'providerId',
    title: 'ProviderId',
    text: ({ providerName, providerId }) => `${providerName} ${providerId}`.trim(),
    cell: ({ providerId, providerName }) => (
      <IdCell>
        <Id value={providerId} what="the provider id" />
        <Text color="fg.muted">{providerName}</Text>
      </IdCell>
    ),
  },
  { id: 'useMock', title: 'Mock Provider', text: ({ useMock }) => (useMock === 'true' ? 'Yes' : 'No') },
  {
    id: 'status',
    title: 'Status',
    text: ({ status, suspended }) => (suspended ? `${status}, suspended by you` : status),
    cell: ({ status, suspended, unread }) => (
      <>
        <StatusWord tone={toneOf(status)}>{status}</StatusWord>
        {suspended && <Text color="fg.muted">Suspended by you</Text>}
        {unread && (
          <Text color="failed" whiteSpace="normal">
            As last seen. {unread}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'auth',
    title: 'Auth',
    cell: (row) => (
      <RowAction
        actor={actor}
        verb="authorise"
        id={row.subscriptionId}
        label="Authorise"
        blocked={authoriseBlocked(row)}
        {...(row.framed ? {} : { href: row.authorise })}
      />
    ),
  },
  {
    id: 'update',
    title: 'Update',
    cell: ({ subscriptionId }) => <RowAction actor={actor} verb="update" id={subscriptionId} label="Update" />,
  },
  {
    id: 'suspend',
    title: 'Suspend',
    cell: (row) => (
      <RowAction
        actor={actor}
        verb="suspend"
        id={row.subscriptionId}
        label={row.suspended ? 'Unsuspend' : 'Suspend'}
        blocked={suspendBlocked(row)}
      />
    ),
  },
];

/** Leads to where a subscription is created, and back here. */
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
      Subscriptions that were created here are listed in this place, to be authorised and suspended.
    </EmptyState>
  );
}

/** The subscription list (spec, section 2: /subscriptionlist). */
export default function AuthorisationStep({ actor }: { actor: AuthorisationActor }) {
  const rows = useSelector(actor, ({ context }) => context.rows);
  const chosen = useSelector(actor, ({ context }) => context.chosen);
  const watching = useSelector(actor, (snapshot) => snapshot.matches('watching'));
  const pause = useSelector(actor, pauseOf);
  const columns = useMemo(() => columnsFor(actor), [actor]);
  const news = useRef<HTMLParagraphElement>(null);
  useFrameHistory(watching);
  // The authorise page is gone, and the focus that was in it.
  useEffect(() => (watching ? () => news.current?.focus() : undefined), [watching]);
  return (
    <Box display="grid" gap="4">
      <Text ref={news} id={pauseId} role="status" tabIndex={-1} minHeight="6">
        {pause || (chosen && `Subscription ${chosen.subscriptionId} is ${chosen.status}`)}
      </Text>
      <DataTable
        caption={rows.length === 1 ? 'subscription' : 'subscriptions'}
        columns={columns}
        rows={rows}
        rowKey={({ subscriptionId }) => subscriptionId}
        address=""
        empty={<NoSubscriptions />}
      />
      {watching && chosen && (
        <AuthorisePage
          key={chosen.subscriptionId}
          row={chosen}
          onClose={() => actor.send({ type: 'authorise.close' })}
        />
      )}
      <Flex>
        <Button onClick={() => actor.send({ type: 'form.cancel' })}>Close</Button>
      </Flex>
    </Box>
  );
}
