import { header } from '#server/upstream/wire.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { callsByRun, endOf, finding, isAnswered, checkResult, type Check, type Evidence } from './evidence.ts';
import { jsonIn } from '#contract/json.ts';

const bearerOf = ({ headers }: RecordedCall): string =>
  /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '';

const isTokenCall = ({ operation }: RecordedCall): boolean => operation === 'accessToken';

const signed: readonly string[] = ['createOrganisation', 'accessToken'];

/** Returns the calls that had to be signed, or were. */
const signedIn = ({ calls }: Evidence): RecordedCall[] =>
  calls.filter(({ operation, headers }) => signed.includes(operation) || headers[header.signature] !== undefined);

const isUnsigned = ({ status, fault, response }: RecordedCall): boolean =>
  status === 401 && fault === undefined && /x-signature/i.test(response.body);

/** Whose token a call asks for: the organisation's, or a company's. */
const ownerOf = ({ headers }: RecordedCall): string =>
  `${headers[header.organisation]} ${headers[header.company] ?? ''}`;

/** Returns the token in the answer of a token call; '' if there is none. */
function tokenIn(call: RecordedCall, { reading }: Evidence): string {
  if (reading) return reading.tokenIn(call);
  const { response } = call;
  const { jwt } = Object(jsonIn(response.body)) as { jwt?: unknown };
  return typeof jwt === 'string' ? jwt : '';
}

/** Time (ms) within which no program gives up waiting for a token. */
const leastWait = 4000;

/**
 * Whether a program has received a token before it made another call: it has used it, or was too early to have given up
 * waiting for it.
 */
const hadToken = (
  calls: readonly RecordedCall[],
  known: RecordedCall,
  next: RecordedCall,
  evidence: Evidence,
): boolean => next.at - known.at < leastWait || calls.some((each) => bearerOf(each) === tokenIn(known, evidence));

/**
 * Time (ms) after a response in which another part of a program may not know of it, on a busy machine too. What it has acted
 * upon, it knows.
 */
const unnoticed = 1000;

/** Whether a call with a token had ended before another call. */
const hadUsed = (calls: readonly RecordedCall[], jwt: string, { at }: RecordedCall): boolean =>
  calls.some((each) => bearerOf(each) === jwt && endOf(each) <= at);

/**
 * Returns the token calls of a run that were not necessary: the program had a token of the same owner, and the service
 * had not refused it. Two calls at the same time count once, because neither could know of the other.
 */
function needless(calls: readonly RecordedCall[], evidence: Evidence): [RecordedCall, RecordedCall][] {
  const found: [RecordedCall, RecordedCall][] = [];
  const latest = new Map<string, RecordedCall>();
  for (const call of calls.filter((each) => isTokenCall(each) && isAnswered(each))) {
    const owner = ownerOf(call);
    const known = latest.get(owner);
    latest.set(owner, call);
    if (!known || endOf(known) > call.at || !hadToken(calls, known, call, evidence)) continue;
    if (call.at - endOf(known) < unnoticed && !hadUsed(calls, tokenIn(known, evidence), call)) continue;
    const isRefused = calls.some((each) => each.status === 401 && each.at >= known.at && each.at <= call.at);
    if (!isRefused) found.push([known, call]);
  }
  return found;
}

/** Returns the calls refused with 401 for their token, each with the run's later calls. */
const refusedTokens = (calls: readonly RecordedCall[]): [RecordedCall, RecordedCall[]][] =>
  calls.flatMap((call, index) =>
    call.status === 401 && bearerOf(call) !== '' && !isTokenCall(call) ? [[call, calls.slice(index + 1)]] : [],
  );

/** Whether a call is another attempt at one that was refused, whose refusal the program knows then. */
const isRepeated = (one: RecordedCall, other: RecordedCall): boolean =>
  one.method === other.method && one.path === other.path && one.body === other.body;

/** How many characters of a line are shown before a secret, and from it on. */
const [shownBefore, shownAfter] = [60, 20];

/** Headers by which a caller shows who it is. */
const credentialHeaders: readonly string[] = ['authorization', header.apiKey, header.signature];

/**
 * Returns a function that finds the first line of a text that contains a key or a token, also as it is written in addresses
 * and in JSON; with `[key]` and `[token]` in their places, and no more of it than shows which line it is.
 */
function secretsIn(evidence: Evidence): (text: string) => string | undefined {
  const { calls, secrets } = evidence;
  const tokens = [...calls.filter(isTokenCall).map((call) => tokenIn(call, evidence)), ...calls.map(bearerOf)];
  const keys = secrets.flatMap((each) => [each, each.replace(/^whsec_/, '')]);
  const forms = ([...keys.map((key) => [key, '[key]']), ...tokens.map((token) => [token, '[token]'])] as const)
    .filter(([secret = '']) => secret.length >= 8)
    .flatMap(([secret = '', word = '']) =>
      [secret, encodeURIComponent(secret), secret.replaceAll('/', '\\/')].map((form) => [form, word] as const),
    );
  const unique = [...new Map(forms)];
  return (text) => {
    const line = text.split('\n').find((each) => unique.some(([secret]) => each.includes(secret)));
    const masked = unique.reduce((left, [secret, word]) => left?.replaceAll(secret, word), line?.trim());
    const at = masked?.search(/\[(?:key|token)\]/) ?? 0;
    return masked?.slice(Math.max(0, at - shownBefore), at + shownAfter);
  };
}

/** Checks of single requests. */
export const requestChecks: readonly Check[] = [
  {
    id: 'request-signature',
    group: 'Requests',
    title: 'Signed calls have a valid signature',
    why: 'The auth service refuses a call whose signature does not match, so the program gets no token.',
    mend: 'Sign method, lower-case address, sorted parameters with the Base64 of the exact body, and nonce, with HMAC-SHA1 and the signing key followed by &null.',
    judge: (evidence) =>
      checkResult(
        signedIn(evidence).length > 0,
        signedIn(evidence)
          .filter(isUnsigned)
          .map((call) =>
            finding(
              call.mistakes[0] ?? `The signature of ${call.method} ${call.path} does not match the request`,
              call,
            ),
          ),
      ),
  },
  {
    id: 'request-nonce',
    group: 'Requests',
    title: 'Each signed call has a new nonce',
    why: 'The service refuses a nonce that it has seen, because the call could be a replay by an attacker.',
    mend: 'Make a new random value, such as a UUID, for X-Nonce in each signed call, also when a call is repeated.',
    judge(evidence) {
      const used = new Map<string, RecordedCall>();
      const seen = signedIn(evidence).flatMap((call) => {
        const nonce = call.headers[header.nonce] ?? '';
        const first = used.get(nonce);
        if (nonce !== '' && !first) used.set(nonce, call);
        return first ? [finding(`The nonce of ${call.method} ${call.path} was used before`, first, call)] : [];
      });
      return checkResult(used.size > 0, seen);
    },
  },
  {
    id: 'request-token-reused',
    group: 'Requests',
    title: 'A token is reused until it expires',
    why: 'A token is valid for 20 minutes. A token for each call doubles the calls and meets the rate limit.',
    mend: 'Keep the token in memory with its expiry, and ask for another one shortly before it expires or after a 401.',
    judge(evidence) {
      const runs = callsByRun(evidence);
      return checkResult(
        runs.some((calls) => calls.filter((each) => bearerOf(each) !== '').length > 1),
        runs
          .flatMap((calls) => needless(calls, evidence))
          .map(([known, call]) => finding('The program asked for a token although it had a valid one', known, call)),
      );
    },
  },
  {
    id: 'request-token-renewed',
    group: 'Requests',
    title: 'A refused token is renewed',
    why: 'A token can expire on its way or be revoked. A program that does not renew it stops paying.',
    mend: 'After a 401, ask for a new token once and repeat the call with it, under the same idempotency key.',
    exercise: { on: 'call', of: 'createBatch', fault: { kind: 'expiredToken' }, times: 1 },
    judge(evidence) {
      // A program that was ended from outside may have had no time to renew it.
      const ran = evidence.runs.every(({ ended }) => ended === 'itself');
      const refused = ran ? callsByRun(evidence).flatMap(refusedTokens) : [];
      const seen = refused.flatMap(([call, later]) => {
        // Two tokens of the same second may be equal, so only what was called before the next token counts.
        const next = later.findIndex((each) => isTokenCall(each) && isAnswered(each));
        const before = next === -1 ? later : later.slice(0, next);
        const again = before.find(
          (each) =>
            bearerOf(each) === bearerOf(call) && each.at > endOf(call) + (isRepeated(call, each) ? 0 : unnoticed),
        );
        if (again) return [finding('The program used the token again after it was refused with 401', call, again)];
        const isRenewed = later.some((each) => isTokenCall(each) || bearerOf(each) !== '');
        if (isRenewed || evidence.runs.length === 0) return [];
        return [finding('The program did not ask for a new token after a 401', call)];
      });
      // Without runs, a program that has not asked for a new token yet may still do so.
      const arose = refused.some(([, later]) => evidence.runs.length > 0 || later.some(isTokenCall));
      return checkResult(arose, seen);
    },
  },
  {
    id: 'request-secret-in-address',
    group: 'Requests',
    title: 'No address contains a secret',
    why: 'Addresses are written to the logs of servers and proxies, where other people read them.',
    mend: 'Send keys and tokens only in headers. The link to a payment file is used as the service issued it.',
    judge(evidence) {
      const { calls } = evidence;
      const secretIn = secretsIn(evidence);
      const seen = calls.flatMap((call) =>
        secretIn(`${call.path}?${call.query}`) !== undefined
          ? [finding(`The address of ${call.method} ${call.path} contains a key or a token`, call)]
          : [],
      );
      return checkResult(calls.length > 0, seen);
    },
  },
  {
    id: 'request-secret-in-output',
    group: 'Requests',
    title: 'No key and no token is printed',
    why: 'What a program prints is kept by schedulers and collectors of logs, where other people read it.',
    mend: 'Print no headers and no environment; mask keys and tokens in the logs of the HTTP client, also in messages of errors.',
    judge(evidence) {
      const { outputs = [] } = evidence;
      const secretIn = secretsIn(evidence);
      const seen = outputs.flatMap((text, index) => {
        const line = secretIn(text);
        return line === undefined ? [] : [finding(`Run ${index + 1} has printed a key or a token: “${line}”`)];
      });
      return checkResult(outputs.length > 0, seen);
    },
  },
  {
    id: 'request-redirect',
    group: 'Requests',
    title: 'No credentials are sent to another address',
    why: 'Whoever can redirect a call, such as a proxy that is set up wrongly, would receive keys and tokens.',
    mend: 'Do not follow redirects of the service, or drop all headers with credentials before another host is called.',
    judge({ calls, redirected, reading }) {
      const credentials = [...credentialHeaders, ...(reading?.credentialHeaders ?? [])];
      const seen = redirected.flatMap(({ method, headers }) => {
        const found = credentials.filter((name) => (headers[name] ?? '') !== '');
        return found.length === 0
          ? []
          : [finding(`The program followed a redirect with ${method} and sent ${found.join(', ')} to another host`)];
      });
      return checkResult(
        calls.some(({ fault }) => fault === 'redirect'),
        seen,
      );
    },
  },
  {
    id: 'request-file-link',
    group: 'Requests',
    title: 'The link to a payment file is used without credentials',
    why: 'The link authorises itself and may lead to another host, which would receive the keys and the token.',
    mend: 'Fetch the link as the service issued it, without Authorization, X-API-Key and the other headers of the API.',
    judge({ calls }) {
      const links = calls.filter(({ operation }) => operation === 'paymentFile');
      const seen = links.flatMap((call) => {
        const found = credentialHeaders.filter((name) => (call.headers[name] ?? '') !== '');
        return found.length === 0 ? [] : [finding(`The program sent ${found.join(', ')} with the link`, call)];
      });
      return checkResult(links.length > 0, seen);
    },
  },
  {
    id: 'request-members',
    group: 'Requests',
    title: 'Bodies contain only documented members',
    why: 'The service ignores a member that it does not know: what the program means by it does not happen.',
    mend: 'Remove the member, or correct its name to that of the documentation.',
    judge({ calls }) {
      const seen = calls.flatMap((call) => {
        const unknown = call.mistakes.find((each) => each.startsWith('Unknown field '));
        return unknown === undefined ? [] : [finding(unknown, call)];
      });
      return checkResult(
        calls.some(({ body }) => body !== ''),
        seen,
      );
    },
  },
];
