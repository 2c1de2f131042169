import { member } from '#contract/member.ts';
import { operationOf, type ServiceOperation } from '#contract/serviceCalls.ts';
import { baseString } from '#contract/requests/baseString.ts';
import { validate } from '#server/http/validate.ts';
import { jsonLimits, readJson } from '#server/http/json.ts';
import type { Storage } from '#server/storage/open.ts';
import { companiesIn } from '#server/companies/companyList.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import { sign } from '#server/upstream/signature.ts';
import { mistakeAmong, type ReceivedToSign } from '#server/upstream/signatureMistakes.ts';
import { operations, type Operation } from '#server/upstream/operations.ts';
import { missingHeaders } from '#server/upstream/security.ts';
import { header } from '#server/upstream/wire.ts';
import { faultsIn, unknownIn } from '#server/upstream/wireFaults.ts';
import type { Findings } from './observedCalls.ts';

/** A program's call and its answer. `wirePath` has no query; header names are in lower case. */
export interface Called {
  method: string;
  wirePath: string;
  /** The URL at the service, without the query. */
  url: string;
  query: string;
  headers: Readonly<Record<string, string | undefined>>;
  /** The body as received, and its decoded text; as the answer it is decoded when it is read. */
  bytes: Buffer;
  body: string;
  status: number;
  answer: string;
}

/** Returns the members of a body that its call does not define. */
function unknownOf(operation: ServiceOperation | undefined, call: Called): string[] {
  const schema = operation && member<Operation>(operations, operation)?.body?.schema;
  if (!schema || call.bytes.length === 0) return [];
  try {
    const value = readJson(call.body, jsonLimits.body);
    const { data, faults } = validate(schema, value);
    return faults ? [] : unknownIn(value, data);
  } catch {
    return [];
  }
}

/** Returns the signing key that the workspace holds for an organisation; undefined if it holds none. */
async function keysOf(storage: Storage, workspace: string, organisationId: string) {
  const companies = companiesIn(storage, workspace);
  for (const { companyKey, organisationId: known } of await companies.list())
    if (organisationId !== '' && known === organisationId) return (await companies.read(companyKey)).companySigningKey;
  return undefined;
}

/** Returns the fault of a refused call's signature, as far as the console knows the key. */
function signatureOf(
  { method, url, query, headers, bytes, body }: Called,
  addresses: { own: string; called: readonly string[] },
  key: string | undefined,
  otherKeys: Readonly<Record<string, string>>,
): Findings {
  const [nonce, given] = [headers[header.nonce] ?? '', headers[header.signature] ?? ''];
  const toSign = (at: string): ReceivedToSign => ({
    method,
    url: at,
    query: [...new URLSearchParams(query)],
    body: bytes,
    content: body,
    nonce,
    key: key ?? '',
  });
  const right = toSign(url);
  if (key === undefined)
    return {
      wrong: ['The console does not know the key of this signature: compare what was signed with what is expected'],
      expected: baseString(right),
      signed: '',
    };
  if (sign(right) === given)
    return {
      wrong: [
        'The signature is right by the key that the console keeps: look at the nonce, and whether that key holds',
      ],
      expected: '',
      signed: '',
    };
  const elsewhere = addresses.called
    .map((address) => toSign(address + url.slice(addresses.own.length)))
    .find((each) => sign(each) === given);
  if (elsewhere)
    return {
      wrong: ['The console’s address was signed: this service knows only its own, which has to be signed instead'],
      expected: baseString(right),
      signed: baseString(elsewhere),
    };
  const { words, expected, signed } = mistakeAmong(given, [right], otherKeys);
  return { wrong: [words], expected, signed };
}

/**
 * Returns what is wrong with a call to a service that only answers: what the answer says, missing headers, unknown
 * members, and faults of the signature.
 */
export async function findingsOf(
  call: Called,
  {
    config,
    storage,
    workspace,
    called,
  }: {
    config: UpstreamConfig;
    storage: Storage;
    workspace: string;
    /** The addresses at which the program may have called. */
    called: readonly string[];
  },
): Promise<Findings> {
  const { method, wirePath, headers, status, url } = call;
  const refused = status >= 400;
  const operation = operationOf(method, wirePath);
  const missing = refused && operation ? missingHeaders(operation, headers) : [];
  const reported = refused || operation === 'batch' ? faultsIn(call.answer) : [];
  const wrong = [...reported, ...missing.map((name) => `Header ${name} is missing`), ...unknownOf(operation, call)];
  const isSigned = headers[header.signature] && headers[header.nonce];
  if (!isSigned || !refused || ![400, 401, 403].includes(status)) return { wrong, expected: '', signed: '' };
  const isOwnApplication = headers[header.application] === config.applicationId;
  const application = isOwnApplication ? config.signingKey : undefined;
  const organisationId = headers[header.organisation] ?? '';
  const key = operation === 'createOrganisation' ? application : await keysOf(storage, workspace, organisationId);
  const own = url.slice(0, url.length - wirePath.length);
  const found = signatureOf(call, { own, called }, key, application ? { 'the application’s key': application } : {});
  return { ...found, wrong: [...wrong, ...found.wrong] };
}
