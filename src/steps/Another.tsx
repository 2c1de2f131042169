import { Box, Heading, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ReactNode } from 'react';
import type { Snapshot, Subscribable } from 'xstate';
import type { Facts, MadeKind } from '#contract/facts.ts';
import { requirement, type RequirementId } from '#machines/requirements.ts';
import { Bar } from '#ui/Bar.tsx';
import { Callout } from '#ui/surfaces.tsx';
import { Result } from './kit/Result.tsx';
import { withShortIds } from '#rules/shortId.ts';

/** The names of resources that are not their ids. */
const nouns: Partial<Record<MadeKind, string>> = { dataset: 'data set' };

/** The part of a form journey's actor that asks for confirmation before it creates another resource. */
interface AskingActor {
  getSnapshot: () => Snapshot<unknown> & {
    context: { facts: Facts; meanwhile: string };
    matches: (state: 'another') => boolean;
  };
  subscribe: Subscribable<ReturnType<AskingActor['getSnapshot']>>['subscribe'];
  send: (event: { type: 'another.create' } | { type: 'form.cancel' }) => void;
}

/**
 * Shows the existing resource and offers to create another one, whose effect `children` describes. Shows `form` if
 * there is none yet, or once the user has asked for another one.
 */
export function Another(props: {
  actor: AskingActor;
  what: MadeKind & RequirementId;
  children: ReactNode;
  form: ReactNode;
}) {
  const { actor, what, children, form } = props;
  const asks = useSelector(actor, (snapshot) => snapshot.matches('another'));
  const facts = useSelector(actor, ({ context }) => context.facts);
  const meanwhile = useSelector(actor, ({ context }) => context.meanwhile);
  if (!asks) return form;
  const noun = nouns[what] ?? what;
  const made = facts.made[what];
  return (
    <Box display="grid" gap="3" maxWidth="form">
      {meanwhile !== '' && (
        <Callout role="alert" tone="waiting" size="sm">
          <Text>
            {withShortIds(
              `Another tab or program has created ${noun} ${meanwhile} meanwhile. This form has created nothing.`,
            )}
          </Text>
        </Callout>
      )}
      {made ? (
        <Result made={made} />
      ) : (
        <>
          <Heading as="h2">Current {noun}</Heading>
          <Text>{withShortIds(requirement(what).statusText(facts))}</Text>
        </>
      )}
      <Text color="fg.muted" fontSize="sm">
        {children}
      </Text>
      <Bar
        leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]}
        secondary={[{ label: 'Create another', onPress: () => actor.send({ type: 'another.create' }) }]}
      />
    </Box>
  );
}
