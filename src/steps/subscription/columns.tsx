import { Flex, Link as TextLink, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { Link, useLocation } from 'react-router-dom';
import { bankProviderName } from '#contract/constants.ts';
import { addressOf } from '#machines/journeys.ts';
import {
  authoriseBlocked,
  authoriseNote,
  hasEnded,
  suspendBlocked,
  updateBlocked,
  type SubscriptionRow,
} from '#machines/subscription/rows.ts';
import { endedBefore } from '#machines/names.ts';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Id, Lead, Quiet } from '#ui/CopyButton.tsx';
import type { Column } from '#ui/rows.ts';
import { RowAction, type AuthorisationActor } from './RowAction.tsx';

const labels = {
  select: 'Select',
  follow: 'Wait for the update',
  authorise: 'Authorise',
  update: 'Update',
  another: 'Create another',
} as const;

const suspendLabel = ({ suspended }: SubscriptionRow): string => (suspended ? 'Unsuspend' : 'Suspend');

/** Links to the creation of a new subscription in place of one that has ended. */
function CreateAnother({ row: { subscriptionId, providerName } }: { row: SubscriptionRow }) {
  const { pathname, search } = useLocation();
  const journey = providerName === bankProviderName ? 'bankSubscription' : 'subscription';
  return (
    <Text fontSize="sm">
      <TextLink asChild>
        <Link
          to={addressOf(journey, { another: true, then: pathname + search })}
          aria-label={`${labels.another} subscription in place of ${subscriptionId}`}
        >
          {labels.another}
        </Link>
      </TextLink>
    </Text>
  );
}

/** Opens a subscription's approval page, or says where that stands; without its button then (behaviour, section 4). */
function Authorise({ actor, row }: { actor: AuthorisationActor; row: SubscriptionRow }) {
  const { subscriptionId, framed, authorise } = row;
  const isOpen = useSelector(
    actor,
    (snapshot) => snapshot.matches('approving') && snapshot.context.chosen?.subscriptionId === subscriptionId,
  );
  if (isOpen || authoriseBlocked(row))
    return (
      <Text color="fg.muted" fontSize="sm">
        {isOpen ? 'Approval page open' : authoriseNote(row)}
      </Text>
    );
  const href = framed ? {} : { href: authorise };
  return <RowAction actor={actor} verb="authorise" id={subscriptionId} label={labels.authorise} {...href} />;
}

/** What the list shows beside a status, each as a sentence. */
function notesOf({ ended, suspended, unread, pending }: SubscriptionRow): { text: string; failed?: true }[] {
  return [
    ...(ended ? [{ text: endedBefore(ended) }] : []),
    ...(suspended ? [{ text: 'Suspended by you' }] : []),
    ...(unread ? [{ text: `As last seen. ${unread}`, failed: true as const }] : []),
    ...(pending
      ? [
          {
            text: `An update is waiting for the provider’s webhook${pending.forwarded ? '' : '; the outcome is unknown'}`,
          },
        ]
      : []),
  ];
}

/** A cell's texts as one, in the order in which the cell shows them. */
const together = (...texts: (string | false)[]): string => texts.filter(Boolean).join(' ');

/**
 * The columns of the subscription list (behaviour, section 2), each with its action or why it is not available; the first
 * also selects a subscription. Each filters and sorts by all that it shows.
 */
export const columnsFor = (actor: AuthorisationActor): Column<SubscriptionRow>[] => [
  {
    id: 'subscriptionId',
    title: 'SubscriptionId',
    text: ({ subscriptionId, providerName, current }) =>
      together(providerName, subscriptionId, current ? 'Current' : labels.select),
    cell: ({ subscriptionId, providerName, current }) => (
      <div>
        <Flex columnGap="2" align="center" wrap="wrap" rowGap="0">
          <Lead>{providerName}</Lead>
          {current ? (
            <Badge tone="next">Current</Badge>
          ) : (
            <RowAction actor={actor} verb="select" id={subscriptionId} label={labels.select} />
          )}
        </Flex>
        <Quiet>
          <Id value={subscriptionId} what="the subscription id" />
        </Quiet>
      </div>
    ),
  },
  {
    id: 'providerId',
    title: 'ProviderId',
    text: ({ providerId }) => providerId,
    cell: ({ providerId }) => (
      <Quiet>
        <Id value={providerId} what="the provider id" />
      </Quiet>
    ),
  },
  { id: 'useMock', title: 'Mock Provider', text: ({ useMock }) => (useMock === 'true' ? 'Yes' : 'No') },
  {
    id: 'status',
    title: 'Status',
    text: (row) =>
      together(
        row.status,
        ...notesOf(row).map(({ text }) => text),
        row.pending !== null && labels.follow,
        hasEnded(row) && labels.another,
      ),
    cell: (row) => (
      <>
        <Badge tone={toneOf(row.status)}>{row.status}</Badge>
        {notesOf(row).map(({ text, failed = false }) => (
          <Text key={text} color={failed ? 'failed' : 'fg.muted'} fontSize="sm">
            {text}
          </Text>
        ))}
        {row.pending && <RowAction actor={actor} verb="follow" id={row.subscriptionId} label={labels.follow} />}
        {hasEnded(row) && <CreateAnother row={row} />}
      </>
    ),
  },
  {
    id: 'authorise',
    title: 'Auth',
    text: (row) => (authoriseBlocked(row) === '' ? labels.authorise : authoriseNote(row)),
    cell: (row) => <Authorise actor={actor} row={row} />,
  },
  {
    id: 'update',
    title: 'Update',
    text: (row) => together(labels.update, updateBlocked(row)),
    cell: (row) => (
      <RowAction
        actor={actor}
        verb="update"
        id={row.subscriptionId}
        label={labels.update}
        blocked={updateBlocked(row)}
      />
    ),
  },
  {
    id: 'suspend',
    title: 'Suspend',
    text: (row) => together(suspendLabel(row), suspendBlocked(row)),
    cell: (row) => (
      <RowAction
        actor={actor}
        verb="suspend"
        id={row.subscriptionId}
        label={suspendLabel(row)}
        blocked={suspendBlocked(row)}
      />
    ),
  },
];
