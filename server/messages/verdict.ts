import { z } from 'zod';
import type { Message } from './message.ts';

/**
 * What the provider made of a message (choice: see wire.ts, webhook). Ids, links and errors as a put's answer has them
 * (wire, section 6.2).
 */
export const outcome = z.looseObject({
  debtorId: z.string().nullish(),
  creditorId: z.string().nullish(),
  status: z.string().nullish(),
  errors: z.array(z.looseObject({ path: z.string().nullish(), message: z.string() })).nullish(),
  links: z
    .looseObject({
      authorise: z.string().nullish(),
      authoriseIssuedAt: z.string().nullish(),
      authoriseExpiresAt: z.string().nullish(),
    })
    .nullish(),
});
type Outcome = z.output<typeof outcome>;

/**
 * Statuses with which a provider has decided, in lower case; after any other it has not (wire, section 11: expect the
 * words of subscriptions).
 */
const endStatuses = {
  accepted: 'accepted active authorised authorized completed created deleted succeeded updated'.split(' '),
  refused: 'rejected refused declined failed cancelled canceled expired'.split(' '),
} as const;

/** What a webhook changes of the message that it answers. */
export function verdictOf({ status, errors, links }: Outcome): Pick<Message, 'state'> & Partial<Message> {
  const word = (status ?? '').toLowerCase();
  const reasons = (errors ?? []).map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const said = { status: status ?? '' };
  if (endStatuses.refused.includes(word) || (word === '' && reasons.length > 0))
    return { ...said, state: 'refused', detail: reasons.join('; ') || reasonOf(word) };
  // A put's answer is documented with ids and perhaps a link, and without a status (wire, section 11).
  if (endStatuses.accepted.includes(word) || (word === '' && !links?.authorise)) return { ...said, state: 'accepted' };
  return {
    ...said,
    state: 'waiting',
    ...(links?.authorise && { authorise: links.authorise, authoriseExpiresAt: links.authoriseExpiresAt ?? '' }),
  };
}

const reasonOf = (word: string): string =>
  word === '' || word === 'rejected' ? 'The provider gave no reason.' : `It was ${word}; the provider gave no reason.`;
