import type { FailureCode } from '#contract/problem.ts';
import { Failure } from '#server/failure.ts';
import { TransportError } from './exchange.ts';
import type { TransportFault } from './exchange.ts';

/** Reasons for a failed connection, by Node's error code. */
const reasons: Partial<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up',
};

/** Node's error codes of a connection that the other side closed. */
const closed: readonly string[] = ['UND_ERR_SOCKET', 'ECONNRESET'];

const codes: Record<TransportFault, FailureCode> = {
  unreachable: 'upstream-unreachable',
  timeout: 'upstream-timeout',
  'too-large': 'upstream-invalid',
  'not-http': 'upstream-invalid',
  'cut-short': 'upstream-invalid',
  unasked: 'upstream-invalid',
};

function detailOf({ fault, cause }: TransportError, origin: string): string {
  const { code = '', message } = cause as NodeJS.ErrnoException; // set by TransportError
  const details: Record<TransportFault, string> = {
    unreachable: closed.includes(code)
      ? `The connection closed before a response from ${origin}.`
      : `No connection to ${origin}: ${reasons[code] ?? (code || message)}.`,
    timeout: `${origin} did not answer in time.`,
    'too-large': `The answer of ${origin} is larger than the console takes.`,
    'not-http': `The answer of ${origin} is not HTTP as the console understands it.`,
    'cut-short': `The answer of ${origin} was cut short.`,
    unasked: `${origin} sent more than the answer to this request (${message}), so its answer may belong to another one.`,
  };
  return details[fault];
}

/** Returns the failure of a request without a usable response; a Failure is returned as it is. */
export function failureOf(error: unknown, origin: string, interactionId: string): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof TransportError)) throw error;
  // The caller does not want it to be sent any more.
  if (error.cause instanceof Failure) return Object.assign(error.cause, { cause: error });
  return Object.assign(new Failure(codes[error.fault], detailOf(error, origin), { interactionId }), { cause: error });
}

/** Whether the request that ended with this error may have reached the service. */
export const wasSent = (error: unknown): boolean =>
  !(error instanceof Error && error.cause instanceof TransportError && !error.cause.sent);
