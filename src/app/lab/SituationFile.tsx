import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { calls } from '#contract/calls.ts';
import { addressOf, nextJourney } from '#machines/journeys.ts';
import { stateOf } from '#machines/lib/state.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { useContextValues } from '#steps/kit/useContextValues.ts';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { FieldLabel, FieldRoot, FileInput } from '#ui/Field.tsx';
import { asUser } from '../api/user.ts';
import { useFacts, useSend } from '../console/console.tsx';
import { situationFile } from '../effects/situation.ts';
import { Section } from './Section.tsx';

/** Saves the sandbox, the company, the clock, faults and timeline in one file, and opens such a file. */
export function SituationFile() {
  const facts = useFacts();
  const send = useSend();
  const next = facts && nextJourney(facts);
  /** The page that is opened with the file: the step that is next. */
  const step = next ? addressOf(next) : '/';
  const actor = useActorRef(situationFile);
  useEffect(() => {
    const telling = [
      actor.on('facts.changed', () => send({ type: 'facts.stale' })),
      // Everything that the page has read is of another situation.
      actor.on('situation.opened', (opened) => location.assign(opened.step)),
    ];
    return () => telling.forEach((each) => each.unsubscribe());
  }, [actor, send]);
  const state = useSelector(actor, stateOf);
  const { file, opened, failure } = useContextValues(actor, 'file', 'opened', 'failure');
  return (
    <Section
      id="situation-file"
      title="Situation in a file"
      says="Saves the sandbox with its clock and faults, the current company and the timeline, so that the same moment can be opened in the sandbox of another machine. The file has no keys: opening it creates new ones."
    >
      <Flex gap="4" wrap="wrap" align="end">
        <Button asChild size="sm">
          <a href={asUser(calls.saveSituation.path, [['step', step]])} download="situation.json">
            Save situation
          </a>
        </Button>
        <FieldRoot width="auto">
          <FieldLabel>Open situation</FieldLabel>
          <FileInput
            accept=".json,application/json"
            onFile={(chosen) => actor.send({ type: 'file.choose', file: chosen })}
          />
        </FieldRoot>
        {state === 'opening' && <Text role="status">Opening the situation …</Text>}
      </Flex>
      {state === 'refused' && failure && (
        <Text role="alert" color="failed" overflowWrap="anywhere">
          The situation was not opened. {failure.detail ?? failure.title}
        </Text>
      )}
      {state === 'incomplete' && opened && (
        <>
          <Text role="status">The situation is open. This could not be set again:</Text>
          <Box as="ul" ps="4" listStyleType="disc">
            {opened.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </Box>
          <ActButton actor={actor} act={{ type: 'leave' }}>
            Go to its page
          </ActButton>
        </>
      )}
      {state === 'asking' && (
        <ConfirmDialog
          title="Open the situation?"
          confirmLabel="Open situation"
          onClose={() => actor.send({ type: 'dismiss' })}
          onConfirm={() => actor.send({ type: 'confirm' })}
        >
          <Text>
            Everything in your sandbox is replaced by what is in {file?.name}, and the company of the file by what it
            was there.
          </Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}
