import { Box, Flex, Text } from '@chakra-ui/react';
import { receiverForm } from '#rules/labForms.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { Code } from '#ui/Code.tsx';
import { useResource } from '#app/console/useResource.ts';
import { lab } from '#app/effects/lab.ts';
import { receiver } from '#app/effects/labForms.ts';
import { LabForm } from './LabForm.tsx';
import { Columns, Section } from './Section.tsx';

/** The second receiver of webhooks: a program of the user's own. */
export function ReceiverSection() {
  const { actor, known } = useResource(lab);
  const url = known?.receiver.url ?? null;
  return (
    <Section
      id="lab-receiver"
      title="Second receiver"
      says="All webhooks of your sandbox are also sent to this address, signed in the same way, with the same ids, and retried independently. The agreed header is omitted, redirects are not followed, and at most 20 are sent per second. Link-local, multicast and metadata addresses are refused; on a console with users, all addresses that the internet does not reach."
    >
      <Columns>
        <LabForm
          machine={receiver}
          kind={receiverForm}
          submitLabel="Add the receiver"
          secondary
          said={(address) => <Text color="done">Webhooks go to {String(address)} as well.</Text>}
        />
        <Box display="grid" gap="3" minWidth="0">
          <Text overflowWrap="anywhere" color={url === null ? 'fg.muted' : undefined}>
            {url === null ? 'No second receiver yet.' : <Code>{url}</Code>}
          </Text>
          <Flex>
            <ActButton
              size="sm"
              actor={actor}
              act={{ type: 'act', act: 'receiver.remove' }}
              blocked={url === null ? 'No second receiver yet' : ''}
            >
              Remove the receiver
            </ActButton>
          </Flex>
        </Box>
      </Columns>
    </Section>
  );
}
