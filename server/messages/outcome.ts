import { z } from 'zod';
import { jsonSchema } from '#contract/shape.ts';
import type { Json } from '#contract/json.ts';
import { plainStatus } from '#contract/status.ts';
import { errorsIn } from '#server/upstream/refusal.ts';
import { lenientParse } from '#server/upstream/lenientParse.ts';
import type { Message } from './records.ts';

/**
 * The provider's outcome of a message (choice: see wire.ts, webhook). Ids, links and errors have the form of the answer
 * to a put (wire, section 6.2).
 */
const outcome = z.looseObject({
  debtorId: z.string().nullish(),
  creditorId: z.string().nullish(),
  status: z.string().nullish(),
  errors: jsonSchema.nullish(),
  links: z
    .looseObject({
      authorise: z.string().nullish(),
      authoriseIssuedAt: z.string().nullish(),
      authoriseExpiresAt: z.string().nullish(),
    })
    .nullish(),
});
type Outcome = z.output<typeof outcome>;

/** Stands for a status that is not a text: present, but not a decision. */
const notUnderstood = 'not understood';

/** Reads the outcome in a webhook's data. Throws ZodError if the data is not an object. */
export function readOutcome(data: unknown): Outcome {
  const reading = lenientParse(outcome, data ?? {});
  if ('fault' in reading) return outcome.parse(data);
  const { value, skipped } = reading;
  return skipped.some(({ path }) => path === 'status') && value.status === undefined
    ? { ...value, status: notUnderstood }
    : value;
}

/** Returns one line per error, whatever the form of the service's errors. */
function reasonsIn(errors: Json | undefined): string[] {
  const sentences = errorsIn(errors).map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const isGiven = Array.isArray(errors) ? errors.length > 0 : Boolean(errors);
  return isGiven && sentences.length === 0 ? ['The provider’s errors cannot be read.'] : sentences;
}

/**
 * Statuses that are decisions, as `plainStatus` writes them; any other leaves the message waiting (wire, section 11: expect the words
 * of subscriptions).
 */
const endStatuses = {
  accepted: 'accepted active authorised authorized completed created deleted succeeded updated'.split(' '),
  refused: 'rejected refused declined failed cancelled canceled expired'.split(' '),
} as const;

/** Returns the changes to a message that follow from its outcome. */
export function outcomeOfWebhook({ status, errors, links }: Outcome): Pick<Message, 'state'> & Partial<Message> {
  const word = plainStatus(status ?? '');
  const reasons = reasonsIn(errors);
  const said = { status: status ?? '' };
  if (endStatuses.refused.includes(word) || (word === '' && reasons.length > 0))
    return { ...said, state: 'refused', detail: reasons.join('; ') || reasonOf(word) };
  // The documented answer to a put has ids and perhaps a link, but no status (wire, section 11).
  if (endStatuses.accepted.includes(word) || (word === '' && !links?.authorise)) return { ...said, state: 'accepted' };
  return {
    ...said,
    state: 'waiting',
    ...(links?.authorise && { authorise: links.authorise, authoriseExpiresAt: links.authoriseExpiresAt ?? '' }),
  };
}

const reasonOf = (word: string): string =>
  word === '' || word === 'rejected' ? 'The provider gave no reason.' : `It was ${word}; the provider gave no reason.`;
