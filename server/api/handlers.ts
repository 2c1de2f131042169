import type { CallName, calls } from '#contract/calls.ts';
import type { Answer, Params, ParsedBody, Query } from '#contract/shapes.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { User } from '#server/calls/callContext.ts';
import type { Write as Row } from '#server/storage/writes.ts';
import type { Write } from '#server/writes/journal.ts';

/** The checked input of a call. */
export interface Input<C extends CallName> {
  params: Params<C>;
  query: Query<C>;
  body: ParsedBody<C>;
  /** The idempotency key sent to the service, the same for every repeat of a write. */
  key: string;
  /** The idempotency key of a write, given by the caller or assigned to the request; '' for any other call. */
  givenKey: string;
  /** The console's origin as the browser sees it, e.g. http://127.0.0.1:3000 */
  origin: () => string;
  user: User;
  /** Whether a page has made the call, which names its company; other callers act for the current one. */
  ofPage: boolean;
  /** Call this if the call has made another company current. */
  switchCompany: (companyKey: string) => void;
  /** Runs a write of the company once more under the key that it was claimed under. */
  repeat: (row: Row, body: unknown) => Promise<void>;
}
/** Handles a call for the company of its context. Made once at the start, so it keeps nothing of a request. */
export type Handler<C extends CallName> = (context: CompanyContext, input: Input<C>) => Promise<Answer<C>>;

/** The calls that the service carries out, once under an idempotency key: those are run by the journal. */
export type WriteName =
  | { [C in CallName]: (typeof calls)[C] extends { write: true } ? C : never }[CallName]
  | 'queryDebtors'
  | 'queryCreditors';

/** How a write is reserved, sent and kept; each has an answer of the service of its own. */
export type WriteOf<C extends CallName> = Write<C, Input<C>, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- known to the write alone

/** Adds to the stored answer of a write what its caller is told besides, also of a repeat. */
export type Tell<C extends CallName> = (
  context: CompanyContext,
  input: Input<C>,
  answer: Answer<C>,
) => Promise<Answer<C>>;

export type Handlers = { readonly [C in CallName]: C extends WriteName ? WriteOf<C> : Handler<C> };
