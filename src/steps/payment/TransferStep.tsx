import { Box, chakra, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { transferAmount } from '#contract/constants.ts';
import type { transferMachine } from '#machines/payment/transfer.machine.ts';
import { Bar } from '#ui/Bar.tsx';
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
      <chakra.iframe
        src={url}
        title="Transfer request page"
        referrerPolicy="no-referrer"
        sandbox="allow-forms allow-popups allow-same-origin allow-scripts"
        width="full"
        height="32rem"
        borderWidth="1px"
        borderStyle="solid"
        borderColor="border.control"
        borderRadius="sm"
        bg="bg" // visible behind a page that supports dark mode; browsers paint white behind others
      />
    </Box>
  );
}
