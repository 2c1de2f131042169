import type { FailureCode, Problem } from '#contract/problem.ts';

const kinds: Record<FailureCode, { status: number; title: string }> = {
  'console-unreachable': { status: 503, title: 'The console cannot be reached' },
  'upstream-unreachable': { status: 502, title: 'The payments service cannot be reached' },
  'upstream-timeout': { status: 504, title: 'The payments service did not answer in time' },
  'upstream-invalid': { status: 502, title: 'The payments service gave an answer that cannot be used' },
  'upstream-failed': { status: 502, title: 'The payments service failed' },
  'upstream-busy': { status: 503, title: 'The payments service takes no more requests at present' },
  'upstream-refused': { status: 502, title: 'The payments service refused the request' },
  'upstream-forbidden': { status: 403, title: 'The payments service does not allow this' },
  'upstream-conflict': { status: 409, title: 'The request conflicts with the state at the payments service' },
  'key-rejected': { status: 401, title: 'The payments service did not accept the credentials' },
  'token-expired': { status: 401, title: 'The user token has expired' },
  'login-refused': { status: 401, title: 'The login was refused' },
  'login-expired': { status: 401, title: 'The login has expired' },
  'login-unusable': { status: 401, title: 'The login could not be used' },
  'signed-out': { status: 401, title: 'You are not signed in' },
  'another-user': { status: 409, title: 'Another user has signed in' },
  'prerequisite-missing': { status: 409, title: 'Something has to be set up first' },
  'unknown-to-service': { status: 409, title: 'The payments service does not know this organisation or company' },
  'signing-key-rejected': { status: 401, title: 'The payments service does not accept the signing key' },
  'company-unknown': { status: 409, title: 'The company of this page is no longer stored here' },
  'invalid-request': { status: 400, title: 'The request is not valid' },
  'not-found': { status: 404, title: 'Not found' },
  'idempotency-conflict': { status: 409, title: 'The idempotency key belongs to another request' },
  'message-pending': { status: 409, title: 'The provider has not answered yet' },
  'exists-already': { status: 409, title: 'One exists already, or is being created' },
  'outcome-unknown': { status: 409, title: 'Outcome unknown' },
  'paid-already': { status: 409, title: 'Invoices are paid already, or may be' },
  'too-large': { status: 413, title: 'The request is too large' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  forbidden: { status: 403, title: 'Not allowed' },
  'store-failed': { status: 503, title: 'The console could not use its store' },
  internal: { status: 500, title: 'The console failed' },
};

type More = Partial<
  Pick<Problem, 'status' | 'errors' | 'upstream' | 'interactionId' | 'messageId' | 'despite' | 'retryAfter'>
>;

/** An error of the server, sent as problem+json (RFC 9457). `detail` says what is wrong and what is expected. */
export class Failure extends Error {
  readonly problem: Problem;

  constructor(code: FailureCode, detail: string, more: More = {}) {
    super(detail);
    this.name = 'Failure';
    this.problem = { type: `urn:problem:${code}`, code, detail, ...kinds[code], ...more };
  }

  get status(): number {
    return this.problem.status;
  }
}

/** Codes after which nothing is known of what was asked for: a proxy may have refused it, or the service for another reason. */
const ofNothing: readonly FailureCode[] = ['key-rejected', 'upstream-forbidden', 'upstream-conflict', 'upstream-busy'];

/** Whether an error says something of what was asked for: the console or the service refuses it (wire 4.9). */
export const isRefusal = (error: unknown): error is Failure =>
  error instanceof Failure && error.status < 500 && !ofNothing.includes(error.problem.code);
