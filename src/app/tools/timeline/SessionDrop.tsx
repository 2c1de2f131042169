import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useState, type ReactNode } from 'react';
import { Skeleton } from '#ui/Skeleton.tsx';
import { Card } from '#ui/surfaces.tsx';
import { useResource } from '#app/console/useResource.ts';
import { sessionOf } from '#app/effects/timeline.ts';
import { SessionView } from './SessionView.tsx';

/** The timeline, on which a HAR file can be dropped or chosen: its session is then shown instead, only to be read. */
export function SessionDrop(props: { isSandbox: boolean; children: (onFile: (file: File) => void) => ReactNode }) {
  const { isSandbox, children } = props;
  const [machine] = useState(() => sessionOf(isSandbox));
  const { actor, known: session, isReading, unread } = useResource(machine);
  const wrong = unread?.detail ?? unread?.title ?? '';
  const open = (file: File) => actor.send({ type: 'subject.choose', subject: file });
  const close = () => actor.send({ type: 'subject.release' });
  return (
    <>
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
          open(file);
        }}
      >
        {isReading ? (
          <Box p="5">
            <Skeleton lines={4} />
          </Box>
        ) : session ? (
          <SessionView session={session} onClose={close} />
        ) : (
          children(open)
        )}
      </Card>
    </>
  );
}
