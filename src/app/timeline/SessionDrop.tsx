import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useActorRef, useSelector } from '@xstate/react';
import type { ReactNode } from 'react';
import { FieldLabel, FieldRoot, FileInput } from '#ui/Field.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { Card } from '#ui/surfaces.tsx';
import { session as sessionLogic } from '../effects/session.ts';
import { SessionView } from './SessionView.tsx';

/** The timeline, on which a HAR file can be dropped: its session is then shown instead, only to be read. */
export function SessionDrop({ isSandbox, children }: { isSandbox: boolean; children: ReactNode }) {
  const actor = useActorRef(sessionLogic, { input: { isSandbox } });
  const session = useSelector(actor, (snapshot) => (snapshot.matches('shown') ? snapshot.context.session : null));
  const isReading = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  const wrong = useSelector(actor, (snapshot) => (snapshot.matches('refused') ? snapshot.context.wrong : ''));
  const close = () => actor.send({ type: 'session.close' });
  return (
    <>
      <Flex gap="4" wrap="wrap" align="end">
        <FieldRoot
          width="auto"
          flexDirection="row"
          flexWrap="wrap"
          alignItems="center"
          columnGap="3"
          css={{ '& > label': { width: 'auto' }, '& > input': { width: 'auto' } }}
        >
          <FieldLabel>Open a HAR file, or drop it on the timeline</FieldLabel>
          <FileInput accept=".har,.json,application/json" onFile={(file) => actor.send({ type: 'file.open', file })} />
        </FieldRoot>
        {wrong && (
          <Flex gap="3" align="center" wrap="wrap">
            <Text role="alert" color="failed" overflowWrap="anywhere">
              The file was not opened. {wrong}
            </Text>
            <Button size="sm" onClick={close}>
              Back to the timeline
            </Button>
          </Flex>
        )}
      </Flex>
      <Card
        overflow="hidden"
        alignContent="stretch"
        minHeight="32rem"
        height="calc(100dvh - 14rem)"
        _print={{ height: 'auto' }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          const [file] = event.dataTransfer.files;
          if (!file) return;
          event.preventDefault();
          actor.send({ type: 'file.open', file });
        }}
      >
        {isReading ? (
          <Box p="5">
            <Skeleton lines={4} />
          </Box>
        ) : session ? (
          <SessionView session={session} onClose={close} />
        ) : (
          children
        )}
      </Card>
    </>
  );
}
