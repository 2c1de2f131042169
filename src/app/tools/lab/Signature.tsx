import { Box, Text } from '@chakra-ui/react';
import { useEffect, useRef, type ReactNode } from 'react';
import type { SignatureChecked, SignatureExplained } from '#contract/lab.ts';
import { CopyableText } from './CopyableText.tsx';
import { Code } from '#ui/Code.tsx';
import { Stack } from '#ui/surfaces.tsx';

const Steps = ({ baseString, how, signature }: Pick<SignatureChecked, 'baseString' | 'how' | 'signature'>) => (
  <>
    <li>
      <Text>The base string is id, timestamp and body, joined by dots:</Text>
      <CopyableText text={baseString} what="the base string" />
    </li>
    <li>
      <Text>{how}.</Text>
    </li>
    <li>
      {signature === '' ? (
        <Text>
          The result is shown only for webhooks that the sandbox has sent, byte for byte. This is not one of them.
          Otherwise anyone could have a webhook signed here.
        </Text>
      ) : (
        <>
          <Text>The header webhook-signature is the version and the result:</Text>
          <CopyableText text={signature} what="the signature" />
        </>
      )}
    </li>
  </>
);

/** An answer, which takes the focus each time it comes, because the button that asked for it may be a page above. */
function Answer({ label, of, children }: { label: string; of: object; children: ReactNode }) {
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.focus(), [of]);
  return (
    <Box
      ref={shown}
      role="group"
      aria-label={label}
      tabIndex={-1}
      display="grid"
      gap="3"
      scrollMarginTop="4"
      scrollMarginBottom="4"
    >
      {children}
    </Box>
  );
}

const list = { as: 'ol', ps: '5', gap: '3' } as const;

/** How the signature of a webhook is computed if it is sent now, step by step. */
export function Explained({ explained }: { explained: SignatureExplained }) {
  return (
    <Answer label="How the signature is computed" of={explained}>
      <Text fontWeight="medium">How the signature of {explained.id} is computed, if it is sent now</Text>
      <Stack {...list}>
        <li>
          <Text>
            webhook-id is <Code>{explained.id}</Code>, webhook-timestamp is <Code>{explained.timestamp}</Code>, seconds
            since 1970.
          </Text>
        </li>
        <Steps {...explained} />
      </Stack>
    </Answer>
  );
}

/** Whether a receiver should accept a webhook, why not, and the correct signature. */
export function Checked({ checked }: { checked: SignatureChecked }) {
  const { problems } = checked;
  return (
    <Answer label="Whether the signature is valid" of={checked}>
      {problems.length === 0 ? (
        <Text color="done" fontWeight="medium">
          The signature is valid: a receiver should accept this webhook.
        </Text>
      ) : (
        <Box color="failed">
          <Text fontWeight="medium">A receiver should reject this webhook:</Text>
          <Box as="ul" ps="5" listStyleType="disc">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </Box>
        </Box>
      )}
      <Stack {...list}>
        <Steps {...checked} />
      </Stack>
    </Answer>
  );
}
