import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ReactNode } from 'react';
import type { Snapshot, Subscribable } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import { requirement, type RequirementId } from '#machines/requirements.ts';

/** The part of a form journey's actor that asks before another one is created. */
interface AskingActor {
  getSnapshot: () => Snapshot<unknown> & { context: { facts: Facts }; matches: (state: 'another') => boolean };
  subscribe: Subscribable<ReturnType<AskingActor['getSnapshot']>>['subscribe'];
  send: (event: { type: 'another.create' } | { type: 'form.cancel' }) => void;
}

/** What is there already and what creating another one does; else the form. */
export function Another(props: { actor: AskingActor; what: RequirementId; children: ReactNode; form: ReactNode }) {
  const { actor, what, children, form } = props;
  const asks = useSelector(actor, (snapshot) => snapshot.matches('another'));
  const facts = useSelector(actor, ({ context }) => context.facts);
  if (!asks) return form;
  return (
    <Box display="grid" gap="3" maxWidth="form">
      <Heading as="h2">{requirement(what).stands(facts)} is there already</Heading>
      <Text>{children}</Text>
      <Flex gap="2" wrap="wrap">
        <Button variant="solid" onClick={() => actor.send({ type: 'another.create' })}>
          Create another
        </Button>
        <Button onClick={() => actor.send({ type: 'form.cancel' })}>Cancel</Button>
      </Flex>
    </Box>
  );
}
