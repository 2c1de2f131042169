import { CompressedError } from './dispatch.ts';
import { errors } from './undici.ts';
import type { FailureCode } from '#contract/problem.ts';
import { Failure } from '#server/failure.ts';

const timeouts = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];
const senseless = [errors.HTTPParserError, errors.HeadersOverflowError];

/** Reasons for a failed connection, by Node's error code. */
const reasons: Partial<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up',
  UND_ERR_SOCKET: 'it hung up without an answer',
  ECONNRESET: 'it hung up without an answer',
};

const unconnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Whether a connection was made; if not, nothing was sent. */
export const isConnected = (failure: unknown): boolean => {
  const { cause } = failure as Error; // created by `unanswered`
  return !(
    cause instanceof errors.ConnectTimeoutError ||
    unconnected.includes((cause as NodeJS.ErrnoException | undefined)?.code ?? '')
  );
};

/** Returns the failure of a request without a complete answer. `answered`: the answer had begun. */
export function unanswered(error: unknown, origin: string, answered: boolean, interactionId: string): Failure {
  const { name, code = '' } = error as NodeJS.ErrnoException; // undici throws errors only
  const failure = (kind: FailureCode, detail: string) =>
    Object.assign(new Failure(kind, detail, { interactionId }), { cause: error });
  if (timeouts.some((kind) => error instanceof kind) || name === 'TimeoutError')
    return failure('upstream-timeout', `${origin} did not answer in time.`);
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return failure('upstream-invalid', `The answer of ${origin} is larger than the console takes.`);
  if (error instanceof CompressedError)
    return failure(
      'upstream-invalid',
      `The answer of ${origin} is compressed, although the console asks for identity.`,
    );
  if (senseless.some((kind) => error instanceof kind))
    return failure('upstream-invalid', `The answer of ${origin} is not HTTP as the console understands it.`);
  if (answered) return failure('upstream-invalid', `The answer of ${origin} was cut short.`);
  return failure('upstream-unreachable', `No connection to ${origin}: ${reasons[code] ?? code}.`);
}
