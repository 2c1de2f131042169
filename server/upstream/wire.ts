import { memberOf } from '#contract/member.ts';
import { text } from '#contract/shape.ts';
import { Failure } from '#server/failure.ts';

/**
 * The wire protocol of the Payments Out Service (wire, sections 1-6): how its calls are sent (serviceCalls.ts)
 * and what they say (operations.ts), what it sends (webhooks.ts), and ids. Client and sandbox use it.
 */
export { header } from '#contract/requests/headers.ts';
export { messageKinds, type MessageKind } from '#contract/serviceCalls.ts';

const minute = 60_000;

/** Time (ms) for which the service honours the idempotency key of a write that sends this (wire, section 4). */
export const keyTtlOf = (sent: unknown): number =>
  memberOf(sent, 'fileFormatId') === undefined ? 14 * 24 * 60 * minute : 10 * minute;

/** The patterns of ids, each with what it wants. */
export const ids = {
  ofHeader: [/^[\x21-\x7e]{1,200}$/, 'an id of at most 200 visible characters of ASCII'],
  /** Stored and returned with the settings. Blanks and invisible characters alone could not be told from no id. */
  any: [/^(?=[^]*[^\s\p{Cc}\p{DI}])[^]{1,1000}$/u, 'an id of at most 1,000 characters'],
  anyOrNone: [/^[^]{0,1000}$/, 'an id of at most 1,000 characters'],
} as const satisfies Record<string, readonly [RegExp, string]>;
const [headerText, id] = [text.regex(...ids.ofHeader), text.regex(...ids.any)];

/** The ids that a caller may enter, by their setting. */
export const enteredIds = {
  organisationId: headerText,
  companyId: headerText,
  accountId: id,
  dataSetId: id,
  subscriptionId: id,
  batchId: id,
} as const;

/** Encodes an id as one segment of a path. Throws for `.` and `..`, which change the path even if they are encoded. */
export function segment(id: string): string {
  if (/^\.{1,2}$/.test(id)) throw new Failure('invalid-request', `${id} is not an id.`);
  return id;
}
