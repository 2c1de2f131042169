import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useId } from 'react';
import { waitFor } from 'xstate';
import type { batchMachine } from '#machines/batch/batch.machine.ts';
import { CopyButton } from '../kit/CopyButton.tsx';
import type { StepProps } from '../steps.ts';

/** Has the browser save a text under a name. */
function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

/** Downloads the bank file through a fresh link, saves it and shows it (behaviour, section 2: /getbatch). */
export function BankFile({ actor }: StepProps<typeof batchMachine>) {
  const { file, batchId } = useSelector(actor, ({ context }) => context);
  const can = useSelector(actor, (snapshot) => snapshot.can({ type: 'file.download' }));
  const downloading = useSelector(actor, (snapshot) => snapshot.matches('downloading'));
  const reason = useId();

  async function download() {
    if (!can) return;
    actor.send({ type: 'file.download' });
    const arrived = await waitFor(actor, (snapshot) => !snapshot.matches('downloading')).catch(() => null); // the page was left
    if (arrived?.matches('settled')) save(arrived.context.file, `${batchId}.txt`);
  }

  return (
    <Box display="grid" gap="2" justifyItems="start" gridTemplateColumns="minmax(0, 1fr)">
      <Flex gap="3" align="center" wrap="wrap">
        <Button aria-disabled={!can} aria-describedby={can ? undefined : reason} onClick={() => void download()}>
          {downloading ? 'Downloading …' : 'Download bank file'}
        </Button>
        {!can && !downloading && (
          <Text id={reason} color="fg.muted" fontSize="sm">
            There is a file once a batch of file payments has reached PaymentFileAvailable.
          </Text>
        )}
        {file && <CopyButton text={file} what="the bank file" label="Copy file" />}
      </Flex>
      {file && (
        <Box
          as="pre"
          role="region"
          aria-label="Bank file"
          tabIndex={0}
          width="full"
          maxHeight="24rem"
          overflow="auto"
          p="3"
          fontSize="sm"
          bg="bg.subtle"
          borderWidth="1px"
          borderRadius="sm"
        >
          {file}
        </Box>
      )}
    </Box>
  );
}
