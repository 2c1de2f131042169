import { Box } from '@chakra-ui/react';

const tones = { good: ['done', 'done.subtle'], bad: ['failed', 'failed.subtle'] } as const;

/** The outcome in one word; the colour conveys the same information. */
export function Verdict({ good, children }: { good: boolean; children: string | number }) {
  const [color, bg] = tones[good ? 'good' : 'bad'];
  return (
    <Box
      as="span"
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      px="2"
      py="0.5"
      borderRadius="full"
      fontSize="xs"
      lineHeight="1rem"
      fontWeight="medium"
      whiteSpace="nowrap"
      color={color}
      bg={bg}
      _before={{ content: '""', border: '0.1875rem solid', borderRadius: 'full' }}
    >
      {children}
    </Box>
  );
}

/** An HTTP status; 0 means that there was no answer. */
export const Status = ({ status }: { status: number }) => (
  <Verdict good={status >= 200 && status < 400}>{status || 'No answer'}</Verdict>
);
