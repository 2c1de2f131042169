import { createRecipeContext } from '@chakra-ui/react';
import type { HTMLChakraProps } from '@chakra-ui/react';
import { Fragment, type ComponentProps, type ReactNode } from 'react';
import { member } from '#contract/member.ts';
import { statusOf } from '#contract/status.ts';

/** The meaning of a colour: `next` is the accent, `idle` is neutral, the others are states; `partial` is done and failed, `back` is done and undone. */
export type Tone = 'idle' | 'done' | 'next' | 'waiting' | 'partial' | 'back' | 'blocked' | 'failed';

const marks: Readonly<Record<Tone, string>> = {
  idle: '○',
  done: '✓',
  next: '→',
  waiting: '…',
  partial: '◐',
  back: '↩',
  blocked: '∅',
  failed: '✕',
};

/** A badge without a mark, for what is no status: `live` is real money. */
export const Chip = createRecipeContext({ key: 'badge' }).withContext<
  HTMLSpanElement,
  HTMLChakraProps<'span'> & { tone: Tone | 'live' }
>('span');

/** A status of several words such as AwaitingAuthorisation, which may break between them, and nowhere else. */
const breakable = (status: string): ReactNode =>
  status.split(/(?<=\p{Ll})(?=\p{Lu})/u).map((word, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ));

/**
 * A status in words; colour and mark only repeat what the word says. With `onPress` it is a button that is on or off, such
 * as a filter.
 */
export function Badge(props: {
  tone: Tone;
  title?: string;
  onPress?: () => void;
  pressed?: boolean;
  children: ReactNode;
}) {
  const { tone, title, onPress, pressed, children } = props;
  const content = (
    <>
      <span aria-hidden="true">{marks[tone]}</span>
      <span>{typeof children === 'string' ? breakable(children) : children}</span>
    </>
  );
  if (onPress)
    return (
      <Chip asChild tone={tone} title={title}>
        <button type="button" aria-pressed={pressed} onClick={onPress}>
          {content}
        </button>
      </Chip>
    );
  return (
    <Chip tone={tone} title={title}>
      {content}
    </Chip>
  );
}

const Dot = createRecipeContext({ key: 'statusDot' }).withContext<
  HTMLSpanElement,
  HTMLChakraProps<'span'> & { tone: Tone; size?: 'md' | 'lg' }
>('span');

/**
 * The status of a row in an ordered list, or of a page's heading, before its text. Without `word`, the text says the
 * same.
 */
export function StatusDot({ tone, word, ...place }: ComponentProps<typeof Dot> & { word?: string }) {
  return (
    <Dot
      tone={tone}
      {...(word === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word })}
      {...place}
    >
      {['done', 'back', 'failed'].includes(tone) && <span aria-hidden="true">{marks[tone]}</span>}
    </Dot>
  );
}

const tones: Readonly<Record<string, Tone>> = {
  Authorised: 'done',
  Completed: 'done',
  PaymentFileAvailable: 'done',
  PartiallyCompleted: 'partial',
  PartiallyReturned: 'partial',
  Returned: 'back',
  Failed: 'failed',
  Rejected: 'failed',
  Cancelled: 'failed',
  Expired: 'failed',
  Suspended: 'idle',
  unknown: 'idle',
};

/** The tone of a status of a subscription, batch, payment or message; 'waiting' for an unlisted status. */
export const toneOf = (status: string): Tone => member(tones, statusOf(status)) ?? 'waiting';

/** The badge of a status; `tone` is that of a word which is none of the service's. */
export const StatusBadge = ({ status, tone }: { status: string; tone?: Tone | undefined }) => (
  <Badge tone={tone ?? toneOf(status)}>{status}</Badge>
);
