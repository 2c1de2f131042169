import type { FailureCode, Problem } from '#contract/problem.ts';
import { isRead } from './outcomeWords.ts';

export interface Words {
  cause: string;
  /** What to do; may depend on what the failure shows of values, response and entries. */
  advice: string | ((problem: Problem) => string);
  /** The page that mends the cause, with the label of its button; absent where no single page does. */
  way?: Way;
  /** True where the cause stands in place of the detail, which tells a program what to send. */
  detailIsOfCalls?: true;
}

/** A page of the console, and the label of the button that leads there. */
interface Way {
  to: string;
  label: string;
}

const keepsEntries = (problem: Problem): string => (isRead(problem) ? '' : ' Your entries are not lost.');
const saysWhy = ({ upstream }: Problem): string => (upstream ? 'Its response above says why. ' : '');

function correcting(problem: Problem): string {
  if ((problem.errors ?? []).length > 0 && !isRead(problem))
    return 'Correct the values named above and send them again.';
  return isRead(problem)
    ? 'Check the address of this page, or open it from its list.'
    : 'Correct the values and send them again.';
}

/** Cause and advice for each kind of failure (behaviour, section 10.2). */
export const failures = {
  'console-unreachable': {
    cause: 'It does not run, or the network does not reach it.',
    advice: (problem) => `Start it with npm start, or check the network.${keepsEntries(problem)}`,
  },
  'upstream-unreachable': {
    cause: 'The service is down, or the network does not reach it.',
    advice: 'Check the network and the base addresses in the configuration; with the sandbox, that its port is free.',
  },
  'upstream-timeout': {
    cause: 'The service is slow, or its response was lost on the way.',
    advice: 'If the problem persists, check whether the service has an outage.',
  },
  'upstream-invalid': {
    cause: 'The response breaks the service’s protocol.',
    advice: 'Compare it with the service’s documentation, and report it with these details.',
  },
  'upstream-failed': {
    cause: 'The error is in the service, or in a proxy between it and the console.',
    advice: 'If the problem persists, report it to the service with these details.',
  },
  'upstream-busy': {
    cause: 'The service is overloaded or under maintenance.',
    advice: 'Wait a moment.',
  },
  'upstream-refused': {
    cause: 'The request breaks a rule of the service.',
    advice: (problem) =>
      saysWhy(problem) +
      (isRead(problem) ? 'Check what this page asks for.' : 'Correct what it refused and send it again.'),
  },
  'upstream-forbidden': {
    cause: 'The service knows the console, but does not allow it to do this.',
    advice: 'Request the permission where the application or the company is registered, or choose another company.',
    way: { to: '/', label: 'Go to home' },
  },
  'upstream-conflict': {
    cause: 'What it concerns has changed at the service, or exists already.',
    advice: (problem) => `${saysWhy(problem)}Check the current state, then decide again.`,
  },
  'key-rejected': {
    cause:
      'The API key, application id or signing key belongs to another environment, or the service no longer knows the organisation, company or user.',
    advice: 'Check that all three in the configuration belong to one environment.',
  },
  'token-expired': {
    cause: 'A user token lasts for a limited time.',
    advice: 'Get a new one, then come back to this page.',
    way: { to: '/getnetworkaccesstoken', label: 'Get User Token' },
  },
  'login-refused': {
    cause: 'You declined at the identity provider, or it does not let you use this console.',
    advice: 'Log in again, and allow the identity provider to issue a token to this console.',
  },
  'login-expired': {
    cause: 'The login took more than ten minutes, or its token had expired when it arrived.',
    advice: 'Log in again. If it happens at once, compare the clocks of this machine and of the identity provider.',
  },
  'login-unusable': {
    cause: 'The identity provider sent you back with something other than a token for a login of this page.',
    advice:
      'Log in again from this page. If it happens again, check client id and return address at the identity provider.',
  },
  'signed-out': {
    cause: 'The console serves only signed-in users.',
    advice: (problem) => `Sign in; you come back to this page.${keepsEntries(problem)}`,
  },
  'another-user': {
    cause: 'All tabs of a browser share one session, and this page still belongs to the previous user.',
    advice: (problem) =>
      isRead(problem)
        ? 'Sign in as yourself in another tab, then try again here. To continue as the current user, reload the page.'
        : 'To keep your entries, sign in as yourself in another tab, then try again here. To continue as the current user, reload the page; your entries are then deleted.',
  },
  'unknown-to-service': {
    cause: 'The service issues no token for this organisation or company: it was deleted, or its signing key differs.',
    advice:
      'Start over with Create Organisation, or use another company on the home page, where deleted ones can be removed.',
    way: { to: '/createorganisation', label: 'Create Organisation' },
  },
  'signing-key-rejected': {
    cause: 'The service knows the organisation, but not the signing key with which the console has signed the request.',
    advice: 'Enter the right signing key on the home page, or restore the key that it replaced there.',
    way: { to: '/', label: 'Go to home' },
  },
  'company-unknown': {
    cause: 'It was removed, for example in another tab.',
    advice: 'The home page shows the company that is current now.',
    way: { to: '/', label: 'Go to home' },
  },
  'prerequisite-missing': {
    cause: 'A requirement of this step is missing.',
    advice: 'Do the step that provides it; the guided path on the home page shows which one is next.',
    way: { to: '/', label: 'Go to home' },
  },
  'invalid-request': {
    cause: 'Some of the values were not accepted.',
    advice: correcting,
  },
  'not-found': {
    cause: 'There is no record with this id.',
    advice: 'Check the id: what it names may have been deleted, or belong to another company.',
  },
  'idempotency-conflict': {
    cause: 'The same idempotency key was already used for different values.',
    advice: 'Send the first values again, or change a value so that it becomes a new request.',
  },
  'message-pending': {
    cause: 'The same message is already waiting for the provider’s webhook.',
    advice: 'Wait for the webhook. The message is not sent twice.',
    detailIsOfCalls: true,
  },
  'exists-already': {
    cause: 'Another tab or program has created one or is creating it, or an earlier request may have.',
    advice: 'Use that one, if it is there. To create another beside it, send this again once you have read this.',
  },
  'outcome-unknown': {
    cause: 'An earlier attempt may have succeeded, and repeating it now could execute it twice.',
    advice:
      'Check at the service or in the received webhooks whether it took effect. Only if not, change a value, which makes it a new request.',
  },
  'paid-already': {
    cause: 'Another payment has paid them, or its outcome is unknown.',
    advice: 'Press “Back”, then “Review”: the review names them and asks whether to pay them again.',
    detailIsOfCalls: true,
  },
  'too-large': {
    cause: 'It exceeds the limit of the console or of the service.',
    advice: 'Send less at once, such as fewer payments in one batch.',
  },
  'rate-limited': {
    cause: 'They came from here in a short time.',
    advice: 'Close other tabs or programs that use the console, then wait a moment.',
  },
  forbidden: {
    cause: 'The console’s server does not allow this request.',
    advice: ({ detail }) =>
      `${detail ? 'The sentence above says why. ' : ''}If it is the address, open the console at the one that the server printed.`,
  },
  'store-failed': {
    cause: 'Everything confirmed before is safe.',
    advice: (problem) =>
      `${problem.detail ? 'If the sentence above says what to do, do it on the console’s machine.' : 'Look at the log of the console’s server.'}${keepsEntries(problem)}`,
  },
  internal: {
    cause: 'The error is in the console.',
    advice: 'If the problem persists, report it with these details.',
  },
} as const satisfies Record<FailureCode, Words>;

/** What to do about a failure, in words that name only what it shows. */
export function adviceOf(problem: Problem): string {
  const { advice }: Words = failures[problem.code];
  return typeof advice === 'string' ? advice : advice(problem);
}

/** The page that mends the cause; undefined where no single page does, or where the request is to be repeated first. */
export function wayOf(problem: Problem): Way | undefined {
  const { way }: Words = failures[problem.code];
  return problem.outcome === 'unknown' || problem.outcome === 'done' ? undefined : way;
}
