import { Button, chakra } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import {
  approvalOf,
  authoriseBlocked,
  nameOf,
  newsOf,
  type Approval,
  type SubscriptionRow,
} from '#machines/subscription/rows.ts';
import { isOverdue } from '#machines/lib/state.ts';
import { addressOf } from '#machines/journeys.ts';
import { Bar } from '#ui/Bar.tsx';
import { ShortId } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import type { EmptyStateProps } from '#ui/EmptyState.tsx';
import { shortWords } from '#machines/names.ts';
import { StepTitle } from '#ui/StepTitle.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { Time } from '#ui/Time.tsx';
import { visuallyHidden } from '#ui/visuallyHidden.ts';
import { useFrameHistory, AuthorisePage } from '../kit/AuthorisePage.tsx';
import { columnsFor } from './columns.tsx';
import { pauseId, pauseOf, type AuthorisationActor } from './RowAction.tsx';
import { UpdateForm } from './UpdateForm.tsx';

const statusOf = ({ status }: SubscriptionRow): string => status;

/** Replaces the empty list; links to the creation of a subscription, which returns here. */
function useNoSubscriptions(): EmptyStateProps {
  const { pathname, search } = useLocation();
  return {
    children: 'Subscriptions connect the company to a provider. None was created yet.',
    action: (
      <Button asChild>
        <Link to={addressOf('subscription', { then: pathname + search })}>Create a subscription</Link>
      </Button>
    ),
  };
}

/** What the current subscription needs, as the page's title: approval at its provider, or another provider. */
const Need = ({ approval: { row, need, title } }: { approval: Approval }) => (
  <StepTitle
    text={title}
    introduction={
      need === 'replace'
        ? 'It can make no payments.'
        : `Approve the connection on the page of ${nameOf(row)} to enable payments.`
    }
  />
);

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
function ListActions(props: { actor: AuthorisationActor; approval: Approval | null; news: ReactNode }) {
  const { actor, approval, news } = props;
  const mayCheck = useSelector(actor, (snapshot) => snapshot.can({ type: 'retry' }));
  const pause = useSelector(actor, pauseOf);
  const primary = useApprove(actor, approval, pause);
  return (
    <Bar
      primary={primary}
      leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]}
      secondary={[{ label: 'Refresh', rests: mayCheck ? '' : pause, onPress: () => actor.send({ type: 'retry' }) }]}
      reason={news}
    />
  );
}

/** The provider's page of the chosen subscription. */
function ApprovalPage({ actor, row }: { actor: AuthorisationActor; row: SubscriptionRow }) {
  const overdue = useSelector(actor, ({ context }) => isOverdue(context));
  return (
    <>
      <AuthorisePage
        key={row.subscriptionId}
        provider={row.providerName}
        link={row.authorise}
        issue={row.issuedAt}
        framed={row.framed}
        onClose={() => actor.send({ type: 'authorise.close' })}
        heading={row.providerName || 'The provider'}
        status={row.status}
        statusWords={shortWords(row.status)}
        checks={
          <>
            Checking automatically · updated <Time at={row.readAt} />
            {overdue && ' · you may leave this page'}
          </>
        }
      >
        <ShortId value={row.subscriptionId} />
      </AuthorisePage>
      <Bar leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]} />
    </>
  );
}

/** The table of subscriptions. */
function List({ actor, rows }: { actor: AuthorisationActor; rows: SubscriptionRow[] }) {
  const columns = useMemo(() => columnsFor(actor), [actor]);
  const empty = useNoSubscriptions();
  return (
    <DataTable
      caption={['subscription', 'subscriptions']}
      columns={columns}
      rows={rows}
      rowKey={({ subscriptionId }) => subscriptionId}
      inspects={({ subscriptionId }) => `subscription ${subscriptionId}`}
      statusOf={statusOf}
      address=""
      wraps
      empty={empty}
    />
  );
}

/** The subscription list (behaviour, section 2: /subscriptionlist). */
export function AuthorisationStep({ actor }: { actor: AuthorisationActor }) {
  const rows = useSelector(actor, ({ context }) => context.rows);
  const approval = useMemo(() => approvalOf({ rows }), [rows]);
  const chosen = useSelector(actor, ({ context }) => context.chosen);
  const watching = useSelector(actor, (snapshot) => snapshot.matches('approving'));
  const pause = useSelector(actor, pauseOf);
  const told = useSelector(actor, (snapshot) =>
    snapshot.matches({ list: 'listing' }) || snapshot.matches({ list: 'turned' }) ? newsOf(snapshot.context) : '',
  );
  const updating = useSelector(actor, (snapshot) => snapshot.matches('updating'));
  const news = useRef<HTMLSpanElement>(null);
  useFrameHistory(watching);
  // When the approval page or the form has closed, the focus moves from it to the news, as soon as there are any.
  const beside = watching || updating;
  const wasBeside = useRef(false);
  useEffect(() => (beside ? () => void (wasBeside.current = true) : undefined), [beside]);
  useEffect(() => {
    if (!wasBeside.current || !news.current) return;
    wasBeside.current = false;
    news.current.focus();
  });
  return (
    <Stack gap="4">
      {approval ? (
        <Need approval={approval} />
      ) : (
        rows.some(({ current }) => current) && <StepTitle text="Subscriptions" />
      )}
      <chakra.p id={pauseId} css={visuallyHidden}>
        {pause}
      </chakra.p>
      <List actor={actor} rows={rows} />
      {watching && chosen && <ApprovalPage actor={actor} row={chosen} />}
      {updating && chosen && <UpdateForm key={chosen.subscriptionId} actor={actor} row={chosen} />}
      {!beside && (
        <ListActions
          actor={actor}
          approval={approval}
          news={
            <span ref={news} role="status" tabIndex={-1}>
              {told}
            </span>
          }
        />
      )}
    </Stack>
  );
}
