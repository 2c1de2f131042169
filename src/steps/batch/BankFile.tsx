import { Button, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useId, useMemo } from 'react';
import { waitFor } from 'xstate';
import type { PaymentFile } from '#contract/batch.ts';
import { visibleText } from '#contract/text.ts';
import type { batchMachine } from '#machines/batch/batch.machine.ts';
import { counted } from '#rules/counted.ts';
import { decodedFile } from '#rules/decodedFile.ts';
import { BesideHeading } from '#ui/BesideHeading.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { saveFile } from '#ui/saveFile.ts';
import type { StepProps } from '../step.ts';
import { CodeBlock } from '#ui/surfaces.tsx';

/** Saves the bytes under the service's name, or one of format and batch. */
const save = (file: PaymentFile | null): void => {
  if (file) saveFile(file.bytes, file.name, file.type);
};

/** Downloads the bank file through a fresh link, saves it and shows it (behaviour, section 2: /getbatch). */
export function BankFile({ actor }: StepProps<typeof batchMachine>) {
  const file = useSelector(actor, ({ context }) => context.file);
  const shown = useMemo(() => file && decodedFile(file), [file]);
  const can = useSelector(actor, (snapshot) => snapshot.can({ type: 'file.download' }));
  const downloading = useSelector(actor, (snapshot) => snapshot.matches('downloading'));
  const reason = useId();

  async function download() {
    if (!can) return;
    actor.send({ type: 'file.download' });
    // Rejects if the user leaves the page, which stops the actor.
    const arrived = await waitFor(actor, (snapshot) => !snapshot.matches('downloading')).catch(() => null);
    if (arrived?.matches('settled')) save(arrived.context.file);
  }

  return (
    <>
      <BesideHeading>
        <Button
          size="sm"
          aria-disabled={!can}
          aria-describedby={can ? undefined : reason}
          onClick={() => void download()}
        >
          {downloading ? 'Downloading …' : 'Download bank file'}
        </Button>
      </BesideHeading>
      {!can && !downloading && (
        <Text id={reason} color="fg.muted" fontSize="xs" lineHeight="xs">
          The file is available once a batch of file payments has reached PaymentFileAvailable.
        </Text>
      )}
      {file && shown && (
        <>
          <Text color="fg.muted" fontSize="sm">
            Saved as {file.name}, {counted(file.bytes.length, 'byte')}. {shown.note}
          </Text>
          {shown.text !== undefined && (
            <>
              <div>
                <CopyButton text={shown.text} what="the bank file" label="Copy file" />
              </div>
              <CodeBlock role="region" aria-label="Bank file" maxHeight="24rem" whiteSpace="pre">
                {visibleText(shown.text)}
              </CodeBlock>
            </>
          )}
        </>
      )}
    </>
  );
}
