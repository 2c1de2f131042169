import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { member } from '#contract/member.ts';
import { statusOf } from '#contract/status.ts';

/** The meaning of a colour: `next` is the accent, `idle` is neutral, the others are states. */
export type Tone = 'idle' | 'done' | 'next' | 'waiting' | 'blocked' | 'failed';

const look = {
  idle: { mark: '○', color: 'fg.muted', bg: 'bg.muted' },
  done: { mark: '✓', color: 'done', bg: 'done.subtle' },
  next: { mark: '→', color: 'accent', bg: 'accent.subtle' },
  waiting: { mark: '…', color: 'waiting', bg: 'waiting.subtle' },
  blocked: { mark: '∅', color: 'blocked', bg: 'blocked.subtle' },
  failed: { mark: '✕', color: 'failed', bg: 'failed.subtle' },
} as const satisfies Record<Tone, { mark: string; color: string; bg: string }>;

/** A status in words; colour and mark only repeat what the word says. */
export function StatusWord({ tone, children }: { tone: Tone; children: ReactNode }) {
  const { mark, color, bg } = look[tone];
  return (
    <Box
      as="span"
      display="inline-flex"
      gap="1"
      px="1.5"
      borderRadius="sm"
      fontWeight="medium"
      fontSize="sm"
      color={color}
      bg={bg}
      // On a narrow page, breaks a long status rather than widening the page.
      maxWidth="full"
      overflowWrap="anywhere"
      whiteSpace={{ base: 'normal', sm: 'nowrap' }}
    >
      <span aria-hidden="true">{mark}</span>
      {children}
    </Box>
  );
}

const tones: Readonly<Record<string, Tone>> = {
  Authorised: 'done',
  Completed: 'done',
  PaymentFileAvailable: 'done',
  PartiallyCompleted: 'failed',
  Failed: 'failed',
  Rejected: 'failed',
  Cancelled: 'failed',
  Suspended: 'idle',
  unknown: 'idle',
};

/** The tone of a status of a subscription, batch, payment or message; 'waiting' for an unlisted status. */
export const toneOf = (status: string): Tone => member(tones, statusOf(status)) ?? 'waiting';
