import { Button, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { calls } from '#contract/calls.ts';
import { addressOf, nextJourney } from '#machines/journeys.ts';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { FieldLabel, FieldRoot, FileInput } from '#ui/Field.tsx';
import { asUser } from '../api/user.ts';
import { useFacts } from '../console/console.tsx';
import { openSituation } from '../effects/situation.ts';
import { Section } from './Section.tsx';

/** Saves the sandbox, the company, the clock, faults and timeline in one file, and opens such a file. */
export function SituationFile() {
  const facts = useFacts();
  const next = facts && nextJourney(facts);
  /** The page that is opened with the file: the step that is next. */
  const step = next ? addressOf(next) : '/';
  const [chosen, setChosen] = useState<File>();
  const [wrong, setWrong] = useState('');
  const open = async (file: File) => {
    setChosen(undefined);
    setWrong('');
    try {
      const { step } = await openSituation(file);
      // Everything that the page has read is of another situation.
      location.assign(step);
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error));
    }
  };
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
          <FileInput accept=".json,application/json" onFile={setChosen} />
        </FieldRoot>
      </Flex>
      {wrong && (
        <Text role="alert" color="failed" overflowWrap="anywhere">
          The situation was not opened. {wrong}
        </Text>
      )}
      {chosen && (
        <ConfirmDialog
          title="Open the situation?"
          confirmLabel="Open situation"
          onClose={() => setChosen(undefined)}
          onConfirm={() => void open(chosen)}
        >
          <Text>Everything in your sandbox is replaced by what is in {chosen.name}.</Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}
