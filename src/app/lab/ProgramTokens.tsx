import { Button, Flex, Link, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { Link as RouterLink } from 'react-router-dom';
import type { ActorRefFrom } from 'xstate';
import type { ProgramTokenShown } from '#contract/programShapes.ts';
import { programForm } from '#rules/programForm.ts';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { retryOf } from '#machines/lib/retry.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { FormFrame } from '#ui/FormFields.tsx';
import { Badge } from '#ui/Badge.tsx';
import { Time, timeText } from '#ui/Time.tsx';
import type { programs } from '../effects/programs.ts';
import { ProgramCalling } from './ProgramCalling.tsx';
import { Columns, Section } from './Section.tsx';

export type ProgramsActor = ActorRefFrom<typeof programs>;

const columns = [
  { id: 'name', title: 'Program', text: ({ name }: ProgramTokenShown) => name },
  {
    id: 'token',
    title: 'Token',
    text: ({ beginning }: ProgramTokenShown) => `${beginning}…`,
    cell: ({ beginning }: ProgramTokenShown) => <code>{beginning}…</code>,
  },
  {
    id: 'made',
    title: 'Created',
    text: ({ madeAt }: ProgramTokenShown) => timeText(madeAt),
    order: ({ madeAt }: ProgramTokenShown) => Date.parse(madeAt),
    cell: ({ madeAt }: ProgramTokenShown) => <Time at={madeAt} />,
  },
  {
    id: 'used',
    title: 'Last used',
    text: ({ usedAt }: ProgramTokenShown) => (usedAt ? timeText(usedAt) : 'never'),
    order: ({ usedAt }: ProgramTokenShown) => Date.parse(usedAt),
    cell: ({ usedAt }: ProgramTokenShown) => (usedAt ? <Time at={usedAt} /> : 'never'),
  },
  {
    id: 'expires',
    title: 'Expires',
    text: ({ expiresAt, expired }: ProgramTokenShown) => (expired ? 'expired' : timeText(expiresAt)),
    order: ({ expiresAt }: ProgramTokenShown) => Date.parse(expiresAt),
    cell: ({ expiresAt, expired }: ProgramTokenShown) =>
      expired ? <Badge tone="failed">expired</Badge> : <Time at={expiresAt} />,
  },
] as const;

/** Creates, lists and revokes tokens, and shows how a program uses one. */
export function ProgramTokens({ actor }: { actor: ProgramsActor }) {
  const snapshot = useSelector(actor, (now) => now);
  const { tokens, recorded, name, errors, made, asked, failure } = snapshot.context;
  const busy = snapshot.matches('making');
  return (
    <>
      {!recorded && (
        <Text role="note" color="waiting">
          Calls are forwarded, but not recorded: the timeline is switched off (TIMELINE_ENTRIES is 0).
        </Text>
      )}
      <Section
        id="program-tokens"
        title="Tokens"
        says="A token only assigns calls to your timeline; it grants no access to the service. It is valid for 30 days. You can have ten at a time."
      >
        <Columns>
          <FormFrame
            form={programForm}
            values={{ name }}
            errors={errors}
            busy={busy}
            onChange={(_, value) => actor.send({ type: 'name.change', name: value })}
            onSubmit={() => actor.send({ type: 'token.make' })}
          >
            {(fields) => (
              <>
                {fields}
                <Flex>
                  <Button type="submit" variant="solid" aria-disabled={!snapshot.can({ type: 'token.make' })}>
                    {busy ? 'Sending …' : 'Create token'}
                  </Button>
                </Flex>
              </>
            )}
          </FormFrame>
          <ProgramCalling token={made?.token} onCopied={() => actor.send({ type: 'token.hide' })} />
        </Columns>
        <div role="status">{made && <Text color="done">Token of {made.made.name} created. Copy it now.</Text>}</div>
        {snapshot.hasTag('failed') && failure && (
          <FailurePanel
            problem={failure}
            retry={retryOf(snapshot, failure)}
            onRetry={() => actor.send({ type: 'retry' })}
          />
        )}
        <DataTable
          caption={['token', 'tokens']}
          columns={columns}
          rows={tokens}
          rowKey={({ tokenId }) => tokenId}
          actions={({ tokenId, name: program }) => (
            <Button
              size="sm"
              aria-label={`Revoke the token of ${program} …`}
              onClick={() => actor.send({ type: 'token.ask', tokenId })}
            >
              Revoke …
            </Button>
          )}
          empty={<Text color="fg.muted">No tokens yet.</Text>}
        />
        <Flex gap="3" align="center">
          <Button size="sm" aria-label="Refresh the tokens" onClick={() => actor.send({ type: 'facts.stale' })}>
            Refresh
          </Button>
          <Link asChild>
            <RouterLink to="/timeline?show=programs">Show their calls</RouterLink>
          </Link>
        </Flex>
      </Section>
      {snapshot.matches('asking') && asked && (
        <ConfirmDialog
          title={`Revoke the token of ${asked.name}?`}
          confirmLabel="Revoke the token"
          onConfirm={() => actor.send({ type: 'confirm' })}
          onClose={() => actor.send({ type: 'dismiss' })}
        >
          <Text>The console refuses further calls with it. Calls under way complete.</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
