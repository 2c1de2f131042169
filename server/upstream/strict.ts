import { z } from 'zod';
import { isFailure } from '#contract/status.ts';
import { JsonError, jsonLimits, readJson, repeatedMember } from '#server/http/json.ts';
import { isJsonType, mediaType } from '#server/http/receivedBody.ts';

/*
 * The two answers that the console acts upon by itself: a refusal (wire 4.4) and a batch that has failed as a whole (wire
 * 12.4). Every member of them is known, and every header.
 */

/** An answer as received, with its headers by lower-case name; fields after its body are among them. */
export interface Received {
  status: number;
  text: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * Headers that name no resource. Of HTTP (RFC 9110 to 9112), policies for browsers, limits, tracing, servers and proxies. Any
 * other may name what was made, whatever it is called.
 */
const knownHeader = new RegExp(
  `^(?:${[
    'content-(?:type|length|language|encoding)|date|age|vary|allow|via|server|connection|keep-alive|transfer-encoding|trailer',
    'accept(?:-[\\w-]+)?|warning|(?:cache|proxy)-status|priority|p3p|proxy-connection|(?:repr-|content-)?digest|x-jws-signature',
    'cache-control|pragma|expires|etag|last-modified|retry-after|www-authenticate|proxy-authenticate|set-cookie|alt-svc',
    '(?:access-control|cross-origin|content-security)-[\\w-]+|strict-transport-security|referrer-policy|permissions-policy',
    'x-(?:content-type-options|frame-options|xss-protection|permitted-cross-domain-policies|dns-prefetch-control)',
    'x-(?:download-options|robots-tag|powered-by|aspnet-version|aspnetmvc-version|runtime|response-time|served-by|timer)',
    'origin-agent-cluster|report-to|reporting-endpoints|nel|clear-site-data|deprecation|sunset|(?:x-)?api-(?:supported-|deprecated-)?versions?',
    '(?:x-)?rate-?limit(?:-[\\w-]+)?|x-cache(?:-[\\w-]+)?|server-timing|traceparent|tracestate|x-b3-\\w+|request-context',
    '(?:x-)?(?:fapi-interaction|request|correlation|trace)-id|idempotent-replayed|x-sandbox-fault',
    // A vendor's header by its last words, which say what it is of the request or its way.
    '(?:cf|apim|x-(?:amzn?|azure|ms|envoy|kong|akamai))-(?:correlation-|client-)?(?:request-?id|trace-id|ray|ref)',
    '(?:cf-cache-status|x-amz-(?:apigw-id|cf-id|cf-pop)|x-amzn-errortype|x-envoy-upstream-service-time|x-kong-(?:proxy|upstream)-latency)',
  ].join('|')})$`,
);

// A member that is null counts as absent (wire 14.1).
const text = z.string().nullish();
const none = z.null().optional();
const filled = z.string().regex(/\S/, 'is blank');
/** A word, so that no free text is taken for a code. */
const code = z.string().regex(/^[A-Za-z][\w.-]{0,99}$/, 'is no code');
const failed = z.string().refine(isFailure, 'is no failure');
/** An object that may have these members, all texts. */
const texts = (...names: string[]) => z.strictObject(Object.fromEntries(names.map((name) => [name, text]))).nullish();

const detail = z.strictObject({ target: filled, message: filled, code: code.nullish(), index: z.int().nullish() });
const fault = z.strictObject({ path: filled, message: filled, code: code.nullish(), ruleId: text });

/** problem+json, or `error` alone. It has its code or its list of errors; a free text alone may be a proxy's. */
const refusal = z
  .strictObject({
    type: z.literal('about:blank').nullish(),
    title: text,
    status: z.int().nullish(),
    detail: text,
    code: code.nullish(),
    errors: z.array(fault).nullish(),
    error: z.strictObject({ code: code.nullish(), message: text, detail: z.union([text, z.array(detail)]) }).nullish(),
  })
  .refine(
    ({ error, ...problem }) => !error || Object.values(problem).every((member) => member === undefined),
    'has members beside its error',
  )
  .refine(({ error, ...problem }) => {
    const errors = error ? error.detail : problem.errors;
    return Boolean((error ?? problem).code) || (Array.isArray(errors) && errors.length > 0);
  }, 'has neither a code nor a list of errors');

const parties = {
  debtorAgent: texts('identification'),
  debtorAccount: texts('identification', 'secondaryIdentification', 'name'),
  additionalData: text,
};
const address = texts(
  ...['addressLine1', 'addressLine2', 'addressLine3', 'countrySubdivision', 'countryCode', 'postalCode'],
);

/** As an answer to reading the batch: no payment of it is, or may be, made. */
export const failedBatch = z.strictObject({
  data: z.strictObject({
    ...parties,
    batchId: filled,
    externalId: text,
    subscriptionId: text,
    organisationId: text,
    companyId: text,
    fileFormatId: text,
    requestedExecutionDateTime: text,
    status: failed,
    debtor: texts('debtorId'),
    userIdentification: texts('name'),
    payments: z
      .array(
        z.strictObject({
          ...parties,
          paymentId: text,
          status: failed,
          paymentCompletedDate: none,
          instructedAmount: texts('amount', 'currency'),
          creditorAgent: texts('identification'),
          creditorAccount: texts('identification', 'secondaryIdentification', 'name'),
          creditor: z.strictObject({ name: text, creditorId: text, postalAddress: address }).nullish(),
          remittanceInformation: texts('reference', 'unstructured'),
        }),
      )
      .nullish(),
  }),
  links: z.strictObject({ self: text, authorise: none, paymentFile: none }).nullish(),
  error: z
    .strictObject({
      code: text,
      message: text,
      detail: z
        .array(
          z.strictObject({
            target: text,
            message: text,
            code: text,
            resourceId: text,
            sourceId: text,
            index: z.int().nullish(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});

/** Says where a value differs from a strict shape, to be continued after "it". */
function differenceIn({ issues: [issue] }: z.ZodError): string {
  const { path = [], message = '' } = issue ?? {};
  const place = path.join('.');
  if (issue?.code === 'unrecognized_keys')
    return `has the member ${[place, issue.keys[0]].filter(Boolean).join('.').slice(0, 100)}`;
  if (issue?.code === 'custom' && place === '') return message;
  return `has another value at ${place || 'its top'} than is documented${issue?.code === 'custom' || issue?.code === 'invalid_format' ? `: it ${message}` : ''}`;
}

/**
 * Reads an answer in a strict shape: JSON, no unknown header, no member twice, and exactly the members of the schema. Otherwise
 * returns what differs, to be continued after "it".
 */
export function readStrictly<Schema extends z.ZodType>(
  schema: Schema,
  { text: body, headers }: Received,
): { value: z.output<Schema>; flaw?: undefined } | { value?: undefined; flaw: string } {
  const type = mediaType(headers['content-type'] ?? '');
  if (!isJsonType(type)) return { flaw: type === '' ? 'has no content type' : `is ${type.slice(0, 100)}` };
  const unknown = Object.keys(headers).find((name) => !knownHeader.test(name));
  if (unknown !== undefined) return { flaw: `has the header ${unknown.slice(0, 100)}` };
  let value: unknown;
  try {
    value = readJson(body, jsonLimits.largeAnswer);
  } catch (error) {
    if (error instanceof JsonError) return { flaw: error.message };
    throw error;
  }
  const repeated = repeatedMember(body);
  if (repeated !== undefined) return { flaw: `has the member ${JSON.stringify(repeated.slice(0, 100))} twice` };
  const { data, error } = schema.safeParse(value);
  return error ? { flaw: differenceIn(error) } : { value: data };
}

/** Returns why a refusal (4xx) is not believed, to be continued after "it"; '' if it has the strict shape. */
export function flawOfRefusal(received: Received): string {
  // The console asks for no coding, so a proxy has written it.
  if (!/^(identity)?$/i.test(received.headers['content-encoding'] ?? '')) return 'is compressed';
  const { value, flaw } = readStrictly(refusal, received);
  if (!value) return flaw;
  const status = value.status ?? received.status;
  return status === received.status ? '' : `states the status ${status}`;
}
