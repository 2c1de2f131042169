import { Box, Button, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useMemo, useState } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { creditorQueryMachine, debtorQueryMachine } from '#machines/party/query.machine.ts';
import { descriptionOf, hasTag } from '#machines/lib/state.ts';
import { waitText } from '#machines/names.ts';
import { counted } from '#rules/counted.ts';
import { shortId } from '#rules/shortId.ts';
import { Code } from '#ui/Code.tsx';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { Bar } from '#ui/Bar.tsx';
import { serverTime } from '#ui/clock.ts';
import { Id, Lead, Quiet } from '#ui/CopyButton.tsx';
import { EmptyState, type EmptyStateProps } from '#ui/EmptyState.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { useContextValues } from '../kit/useContextValues.ts';
import { useMessage } from '../kit/useMessage.ts';
import { ActButton } from '../kit/ActButton.tsx';
import { PendingMessages, SendAgain } from '../kit/PendingMessages.tsx';
import { Time } from '#ui/Time.tsx';
import { Waiting } from '#ui/Waiting.tsx';

/** The differences between debtors and creditors; `id` and `name` are members of the entity. */
export interface PartyWords {
  one: string;
  many: 'debtors' | 'creditors';
  id: string;
  name: string;
  /** The member below the name. */
  under: string;
  /** The titles of the columns, by the member that each shows; the record has the other members. */
  columns: Readonly<Record<string, string>>;
  /** Replaces an empty list; links to the page that creates a party. */
  empty: EmptyStateProps;
}

type Party = Readonly<Record<string, string>>;
type QueryActor = ActorRefFrom<typeof debtorQueryMachine> | ActorRefFrom<typeof creditorQueryMachine>;

const Named = ({ name, under }: { name: string; under: string }) => (
  <div>
    <Lead>{name}</Lead>
    <Quiet>{under}</Quiet>
  </div>
);

/** The number of polls and the time of the last one, which is the mount time: needs a new `key` for each poll. */
function LastLook({ looks }: { looks: number }) {
  const [at] = useState(() => serverTime());
  return (
    <span>
      Checked {counted(looks, 'time')}, last <Time at={at} />
    </span>
  );
}

type Wait = 'sending' | 'polling' | 'clearing' | 'deleting' | 'answering';

/** What the step waits for; the list's buttons are disabled meanwhile. `what` is the row that is deleted. */
const waitWords = (wait: Wait, provider: string, what: string): string =>
  ({
    sending: 'Sending the query.',
    polling: waitText(provider),
    clearing: 'Webhook received. Storing the list.',
    deleting: `Deleting ${what}.`,
    answering: `Deleting ${what}. ${waitText(provider)}`,
  })[wait];

function waitIn(snapshot: SnapshotFrom<typeof debtorQueryMachine>): Wait | undefined {
  if (snapshot.matches('clearing')) return 'clearing';
  const isQuery = snapshot.matches('querying');
  if ((!isQuery && !snapshot.matches('deleting')) || hasTag(snapshot, 'failed')) return undefined;
  if (hasTag(snapshot, 'busy')) return isQuery ? 'sending' : 'deleting';
  return isQuery ? 'polling' : 'answering';
}

/** Lists the known parties, queries the provider for its own, and deletes one (behaviour, section 2: /debtorsquery and /creditorsquery). */
export function PartyQueryStep({ actor, words }: { actor: QueryActor; words: PartyWords }) {
  const query = actor as ActorRefFrom<typeof debtorQueryMachine>; // the context of both is the same
  const { parties, resourceId, pending, listed, askedAt, facts } = useContextValues(
    query,
    ...(['parties', 'resourceId', 'pending', 'listed', 'askedAt', 'facts'] as const),
  );
  const { looks, overdue, messageId, outcome } = useMessage(actor);
  const wait = useSelector(query, waitIn);
  const answered = useSelector(actor, (snapshot) => snapshot.matches({ list: 'listing' }));
  const confirming = useSelector(actor, (snapshot) => snapshot.matches('confirming'));
  // Newest first: the provider lists parties in the order of their creation.
  const rows: readonly Party[] = useMemo(() => parties.toReversed(), [parties]);
  const nameOf = (row: Party) => row[words.name] || row[words.id] || '';
  const row = rows.find((party) => party[words.id] === resourceId);
  const leave = () => actor.send({ type: 'form.cancel' });
  const idle = wait === undefined;
  const awaits = wait === 'polling' || wait === 'answering';
  const doing = useSelector(actor, descriptionOf);
  const canQuery = useSelector(actor, (snapshot) => snapshot.can({ type: 'query.send' }));
  return (
    <Box display="grid" gap="5">
      <Bar
        leave={[{ label: answered ? 'Close' : 'Cancel', onPress: leave }]}
        primary={{
          label: `Query ${words.many}`,
          rests: canQuery ? '' : doing,
          onPress: () => actor.send({ type: 'query.send' }),
        }}
      />
      {wait && (
        <Waiting
          key={wait}
          overdue={overdue && awaits}
          sentAt={awaits ? outcome?.sentAt : undefined}
          actions={
            awaits && (
              <>
                <SendAgain actor={actor} id={messageId} message={outcome} />
                {wait === 'answering' && (
                  <Button size="sm" onClick={() => actor.send({ type: 'answer.leave' })}>
                    Stop waiting
                  </Button>
                )}
              </>
            )
          }
        >
          {waitWords(wait, facts.provider?.name ?? '', row ? nameOf(row) : shortId(resourceId))}
          {wait === 'answering' && outcome?.status && ` Status: ${outcome.status}.`}
          {awaits && outcome?.forwarded === false && ' The outcome is unknown.'}
          {wait === 'polling' && (
            <>
              {' '}
              {looks > 0 && <LastLook key={looks} looks={looks} />}
              {overdue && ` Select “Query ${words.many}” to resend it.`}
            </>
          )}
        </Waiting>
      )}
      {idle && !listed && rows.length === 0 && (
        <EmptyState reason={`“Query ${words.many}” asks the provider.`}>
          No {words.many} of this subscription are stored here.
        </EmptyState>
      )}
      {askedAt !== '' && (
        <Text color="fg.muted">
          Provider’s list, <Time at={askedAt} />
        </Text>
      )}
      {!listed && rows.length > 0 && <Text color="fg.muted">Stored here; the provider was not asked yet</Text>}
      {(answered || rows.length > 0) && (
        <DataTable
          caption={[words.one, words.many]}
          columns={Object.entries(words.columns).map(([field, title]) => ({
            id: field,
            title,
            ...(field === words.id && { detail: true as const }),
            text: (party: Party) =>
              [party[field], field === words.name && party[words.under]].filter(Boolean).join(' '),
            cell: (party: Party) =>
              field === words.id ? (
                <Quiet>
                  <Id value={party[field] ?? ''} what={`the id of ${nameOf(party)}`} />
                </Quiet>
              ) : field === words.name ? (
                <Named name={nameOf(party)} under={party[words.under] ?? ''} />
              ) : (
                party[field]
              ),
          }))}
          rows={rows}
          rowKey={(party) => party[words.id] ?? ''}
          inspects={(party) => `${words.one} ${nameOf(party)}`}
          address=""
          actions={(party) => (
            <ActButton
              size="sm"
              variant="plain"
              actor={actor}
              act={{ type: 'party.delete', id: party[words.id] ?? '' }}
              aria-label={`Delete ${nameOf(party)}`}
            >
              Delete
            </ActButton>
          )}
          empty={words.empty}
        />
      )}
      <PendingMessages
        actor={actor}
        messages={pending.filter((message) => wait !== 'answering' || message.messageId !== messageId)}
      />
      {confirming && row && (
        <ConfirmDialog
          title={`Delete the ${words.one} ${nameOf(row)}?`}
          confirmLabel="Delete"
          onConfirm={() => actor.send({ type: 'delete.confirm' })}
          onClose={() => actor.send({ type: 'delete.dismiss' })}
        >
          Asks the provider to delete <Code>{resourceId}</Code>. This cannot be undone.
        </ConfirmDialog>
      )}
    </Box>
  );
}
