import { Box, Flex, Text } from '@chakra-ui/react';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { stateOf } from '#machines/lib/state.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { useContextValues } from '#steps/kit/useContextValues.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { FieldLabel, FieldRoot, FileInput } from '#ui/Field.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { useSend } from '../console/console.tsx';
import { situationFile } from '../effects/situation.ts';

/** The dialog in which a situation file is chosen and opened in the sandbox. */
export function OpenSituation({ onClose }: { onClose: () => void }) {
  const send = useSend();
  const actor = useActorRef(situationFile);
  useEffect(() => {
    const telling = [
      actor.on('facts.changed', () => send({ type: 'facts.stale' })),
      // Everything that the page has read is of another situation.
      actor.on('situation.opened', (opened) => location.assign(opened.step)),
      actor.on('situation.dismissed', onClose),
    ];
    return () => telling.forEach((each) => each.unsubscribe());
  }, [actor, send, onClose]);
  const state = useSelector(actor, stateOf);
  const { file, opened, failure } = useContextValues(actor, 'file', 'opened', 'failure');
  if (opened)
    return (
      <Dialog title="Open situation" onClose={() => actor.send({ type: 'dismiss' })}>
        <Stack gap="4">
          <Text role="status">The situation is open. This could not be set again:</Text>
          <Box as="ul" ps="4" listStyleType="disc">
            {opened.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </Box>
          <Flex>
            <ActButton actor={actor} act={{ type: 'leave' }}>
              Go to its page
            </ActButton>
          </Flex>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog title="Open situation" onClose={() => actor.send({ type: 'dismiss' })}>
      <Stack gap="4">
        <Text>
          Everything in your sandbox is replaced by what is in {file?.name ?? 'the file'}, and the company of the file
          by what it was there.
        </Text>
        <FieldRoot>
          <FieldLabel>Situation file</FieldLabel>
          <FileInput
            accept=".json,application/json"
            onFile={(chosen) => actor.send({ type: 'file.choose', file: chosen })}
          />
        </FieldRoot>
        {state === 'refused' && failure && (
          <Text role="alert" color="failed" overflowWrap="anywhere">
            The situation was not opened. {failure.detail ?? failure.title}
          </Text>
        )}
        <Flex gap="2" wrap="wrap" align="center">
          <ActButton actor={actor} act={{ type: 'dismiss' }}>
            Cancel
          </ActButton>
          <ActButton
            variant="plain"
            actor={actor}
            act={{ type: 'confirm' }}
            blocked={file ? '' : 'Choose a file first'}
          >
            Open situation
          </ActButton>
          <Text role="status">{state === 'opening' && 'Opening the situation …'}</Text>
        </Flex>
      </Stack>
    </Dialog>
  );
}
