import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useCallback, useState } from 'react';
import type { Problem } from '#contract/problem.ts';
import { isComplete, type CheckedSituation, type OpenedSituation } from '#machines/lab/resources.ts';
import { ownersNamed } from '#rules/owners.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { FieldLabel, FieldRoot, FileInput } from '#ui/Field.tsx';
import { Callout, Stack } from '#ui/surfaces.tsx';
import { Time } from '#ui/Time.tsx';
import { useResource } from '#app/console/useResource.ts';
import { situationFile } from '#app/effects/labForms.ts';
import { savePlaying } from '#app/console/runStorage.ts';

/** What opening replaces, and which companies it ends. */
function Announced({ savedAt, opens, ends }: CheckedSituation) {
  return (
    <Box role="status" display="grid" gap="3">
      <Text overflowWrap="anywhere">
        Everything in your sandbox, its clock and its faults become what they were when the file was saved,{' '}
        <Time at={savedAt} exact />.{' '}
        {opens.length > 0
          ? `So do these companies of this console: ${ownersNamed(opens, ends)}.`
          : 'The file has no company.'}
      </Text>
      {ends.length > 0 && (
        <Callout tone="failed" size="sm">
          <Text overflowWrap="anywhere">
            The file does not have {ownersNamed(ends, opens)}. Opening it removes{' '}
            {ends.length === 1 ? 'this company' : 'these companies'} from sandbox and console. This cannot be undone.
          </Text>
        </Callout>
      )}
    </Box>
  );
}

/** What the user must know before the page of the situation opens. */
function Remarks({ ended, notes }: OpenedSituation) {
  return (
    <Box role="status" display="grid" gap="3">
      <Text overflowWrap="anywhere">
        The situation is open.
        {ended.length > 0 && ` It does not have ${ownersNamed(ended)}: removed from sandbox and console.`}
        {notes.length > 0 && ' This could not be set again:'}
      </Text>
      {notes.length > 0 && (
        <Box as="ul" ps="4" listStyleType="disc">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </Box>
      )}
    </Box>
  );
}

/** What is known of a situation whose opening has failed. */
const refusedWords = ({ outcome }: Problem): string =>
  outcome === 'unknown'
    ? 'The situation may have been opened: look at the sandbox and its companies. '
    : 'The situation was not opened. ';

/** Everything that the page has read is of another situation, and so is what it says of a rehearsal. */
function leaveFor({ step }: OpenedSituation): void {
  savePlaying(null);
  location.assign(step);
}

/** The dialog in which a situation file is chosen and opened in the sandbox. */
export function OpenSituation({ onClose }: { onClose: () => void }) {
  const [opened, setOpened] = useState<OpenedSituation | null>(null);
  const { actor, known, isReading, acting, unread, failure } = useResource(situationFile, {
    acted: useCallback(({ result }: { result: OpenedSituation }) => {
      if (isComplete(result)) leaveFor(result);
      setOpened(result);
    }, []),
    dismissed: useCallback(() => (opened ? leaveFor(opened) : onClose()), [opened, onClose]),
  });
  const problem = failure ?? unread;
  if (opened)
    return (
      <Dialog title="Open situation" onClose={() => actor.send({ type: 'dismiss' })}>
        <Stack gap="4">
          <Remarks {...opened} />
          <Flex>
            <Button onClick={() => leaveFor(opened)}>Go to its page</Button>
          </Flex>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog title="Open situation" onClose={() => actor.send({ type: 'dismiss' })}>
      <Stack gap="4">
        <FieldRoot>
          <FieldLabel>Situation file</FieldLabel>
          <FileInput
            accept=".json,application/json"
            disabled={acting !== null}
            onFile={(chosen) => actor.send({ type: 'subject.choose', subject: chosen })}
            onAgain={() => actor.send({ type: 'subject.release' })}
          />
        </FieldRoot>
        {known && !failure && <Announced {...known} />}
        {problem && (
          <Text role="alert" color="failed" overflowWrap="anywhere">
            {failure && refusedWords(failure)}
            {problem.detail || problem.title}
          </Text>
        )}
        <Flex gap="2" wrap="wrap" align="center">
          <ActButton actor={actor} act={{ type: 'dismiss' }}>
            Cancel
          </ActButton>
          <ActButton
            variant="plain"
            actor={actor}
            act={{ type: 'act', act: 'open', file: known?.file ?? null }}
            blocked={known || isReading ? '' : 'Choose a situation file first'}
          >
            Open situation
          </ActButton>
          <Text role="status">
            {isReading && 'Checking the file …'}
            {acting && 'Opening the situation …'}
          </Text>
        </Flex>
      </Stack>
    </Dialog>
  );
}
