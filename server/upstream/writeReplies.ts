import type { z } from 'zod';
import type { FailureCode } from '#contract/problem.ts';
import { creationOf, type CreatingCall } from '#contract/serviceCalls.ts';
import { Failure } from '#server/failure.ts';
import type { JsonLimits } from '#server/http/json.ts';
import type { Reply } from './http.ts';
import { requireOneCreated, requireOwnAnswer } from './ownAnswer.ts';
import { flawOfRefusal } from './refusal.ts';
import { answerOf, describedIn, evidenceOf, ofConnections, requireSuccess } from './replies.ts';
import type { Answered } from './replies.ts';
import { verdictOf, verdictOfStatus } from './verdict.ts';

/** Maximum number of characters returned of the service's own sentence. */
const shown = 10_000;

/** Codes of answers that keep their status although they do not decide a write; others become `upstream-invalid`. */
const undecided: Partial<Record<number, FailureCode>> = { 409: 'upstream-conflict', 429: 'upstream-busy' };

/** Returns the failure of a write whose answer does not say whether it took effect. */
function undecidedBy(reply: Reply): Failure {
  const { status } = reply;
  const { detail, errors } = describedIn(reply);
  const said = ofConnections[status] ?? `answered with status ${status}${detail === undefined ? '.' : `: ${detail}`}`;
  const flaw = verdictOfStatus(status) === 'refused' ? flawOfRefusal(reply) : '';
  const why = flaw && ` It is not a refusal in the form that is documented: it ${flaw}.`;
  const code = undecided[status];
  return new Failure(
    code ?? 'upstream-invalid',
    `The payments service ${said.slice(0, shown)}${why} This does not say whether the request took effect.`,
    { ...(code && { status }), ...evidenceOf(reply, errors) },
  );
}

/**
 * Throws a Failure unless the answer to a write says that it was done (verdict.ts). Throws as `requireSuccess` does for
 * a refusal that is believed, for redirects and for 5xx.
 */
function requireDone(reply: Reply): void {
  requireOwnAnswer(reply);
  const verdict = verdictOf(reply);
  if (verdict === 'done') return;
  const { status } = reply;
  if (verdict === 'refused' || status >= 500 || (status >= 300 && status < 400)) requireSuccess(reply);
  throw undecidedBy(reply);
}

/**
 * Reads the answer to a write that creates something, as `answerOf` does. `sent`: what the request says of itself
 * (`requireOwnAnswer`). Throws as `requireDone` does, and `upstream-invalid` if the answer is about another request, or
 * names two resources.
 */
export function createdBy<Schema extends z.ZodObject>(
  reply: Reply,
  call: CreatingCall,
  sent: object,
  schema: Schema,
  ...[within, part]: [within?: JsonLimits, part?: (body: unknown) => unknown]
): Answered<Schema> {
  requireDone(reply);
  const answer = answerOf(reply, schema, within, part);
  requireOwnAnswer(reply, sent);
  requireOneCreated(reply, creationOf(call));
  return answer;
}

/** Like `requireDone`, for a write that creates nothing: its answer may have a body, which must not name another one. */
export function requireOwnDone(reply: Reply, sent: object): void {
  requireDone(reply);
  requireOwnAnswer(reply, sent);
}
