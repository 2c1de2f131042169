import { Box, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { transferAmount } from '#contract/constants.ts';
import type { transferMachine } from '#machines/payment/transfer.machine.ts';
import { Bar } from '#ui/Bar.tsx';
import { EmbeddedPage } from '../kit/EmbeddedPage.tsx';
import type { StepProps } from '../step.ts';

/** The fixed eTransfer, in a new tab and in a frame (behaviour, section 2: /etransfer). */
export function TransferStep({ actor }: StepProps<typeof transferMachine>) {
  const url = useSelector(actor, ({ context }) => context.facts.transferUrl);
  const opened = useSelector(actor, (snapshot) => snapshot.matches('opened'));
  const open = () => {
    window.open(url, '_blank', 'noopener,noreferrer');
    actor.send({ type: 'transfer.open' });
  };
  return (
    <Box display="grid" gap="5">
      <Bar
        leave={[{ label: 'Cancel', onPress: () => actor.send({ type: 'form.cancel' }) }]}
        primary={{ label: transferAmount.label, onPress: open }}
      />
      <Text role="status">{opened && 'The transfer request page was opened in a new tab.'}</Text>
      <EmbeddedPage key={url} link={url} title="Transfer request page" secondary />
    </Box>
  );
}
