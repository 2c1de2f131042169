import { Flex, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { ProgramTokenShown } from '#contract/programShapes.ts';
import { programForm } from '#rules/programForm.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { useContextValues } from '#steps/kit/useContextValues.ts';
import { Code } from '#ui/Code.tsx';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { retrying } from '#machines/lib/retry.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { FormFrame } from '#ui/FormFields.tsx';
import { Badge } from '#ui/Badge.tsx';
import { Time, timeText } from '#ui/Time.tsx';
import type { programs } from '#app/effects/programs.ts';
import { ProgramCalling } from './ProgramCalling.tsx';
import { Section } from './Section.tsx';

type ProgramsActor = ActorRefFrom<typeof programs>;

const columns = [
  { id: 'name', title: 'Program', text: ({ name }: ProgramTokenShown) => name },
  {
    id: 'token',
    title: 'Token',
    text: ({ beginning }: ProgramTokenShown) => `${beginning}…`,
    cell: ({ beginning }: ProgramTokenShown) => <Code>{beginning}…</Code>,
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
  const { tokens, recorded, name, errors, made } = useContextValues(
    actor,
    ...(['tokens', 'recorded', 'name', 'errors', 'made'] as const),
  );
  const asked = useSelector(actor, (snapshot) => (snapshot.matches('asking') ? snapshot.context.asked : null));
  const failure = useSelector(actor, (snapshot) => (snapshot.hasTag('failed') ? snapshot.context.failure : null));
  const busy = useSelector(actor, (snapshot) => snapshot.matches('making'));
  return (
    <>
      {!recorded && (
        <Text role="note" color="waiting">
          Calls are forwarded, but not recorded: the timeline is switched off (TIMELINE_ENTRIES is 0).
        </Text>
      )}
      <Section id="program-tokens" title="Tokens" says="A token grants no access to the service.">
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
                <ActButton
                  type="submit"
                  variant={tokens.length > 0 ? 'outline' : 'solid'}
                  actor={actor}
                  act={{ type: 'token.make' }}
                >
                  {busy ? 'Sending …' : 'Create token'}
                </ActButton>
              </Flex>
            </>
          )}
        </FormFrame>
        <div role="status">{made && <Text color="done">Token of {made.made.name} created.</Text>}</div>
        <ProgramCalling token={made?.token} onCopied={() => actor.send({ type: 'token.hide' })} />
        {failure && <FailurePanel problem={failure} {...retrying(actor, failure)} />}
        {tokens.length > 0 && (
          <DataTable
            caption={['token', 'tokens']}
            columns={columns}
            rows={tokens}
            rowKey={({ tokenId }) => tokenId}
            actions={({ tokenId, name: program }) => (
              <ActButton
                size="sm"
                actor={actor}
                act={{ type: 'token.ask', tokenId }}
                aria-label={`Revoke the token of ${program} …`}
              >
                Revoke …
              </ActButton>
            )}
            empty={null}
          />
        )}
      </Section>
      {asked && (
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
