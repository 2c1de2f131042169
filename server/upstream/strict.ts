import { z } from 'zod';
import { JsonError, readJson, repeatedMember, type JsonLimits } from '#server/http/json.ts';
import { isJsonType, mediaType } from '#server/http/receivedBody.ts';

/** An answer as received. `header` returns a header by its name, '' if it is absent. */
export interface Received {
  status: number;
  text: string;
  header: (name: string) => string;
}

/** Blocks of the strict shapes. A member that is null counts as absent (wire 14.1). */
export const strict = {
  text: z.string().nullish(),
  filled: z.string().regex(/\S/, 'is blank'),
  /** A word, so that no free text is taken for a code. */
  code: z.string().regex(/^[A-Za-z][\w.-]{0,99}$/, 'is no code'),
};

/**
 * Headers by which an answer names a resource: those of HTTP (RFC 9110, sections 8.7 and 10.2.2), of links (RFC 8288,
 * 9652), of the HTML standard, and of requests that are answered later.
 */
const naming = ['Location', 'Content-Location', 'Link', 'Link-Template', 'Refresh', 'Operation-Location'] as const;

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
 * Reads an answer that the console acts upon by itself: JSON, no header that names a resource, no member twice, and
 * exactly the members of the schema, which is made of strict objects. Otherwise returns what differs, to be continued
 * after "it".
 */
export function readStrictly<Schema extends z.ZodType>(
  schema: Schema,
  { text, header }: Received,
  within: JsonLimits,
): { value: z.output<Schema>; flaw?: undefined } | { value?: undefined; flaw: string } {
  const type = mediaType(header('content-type'));
  if (!isJsonType(type)) return { flaw: type === '' ? 'has no content type' : `is ${type.slice(0, 100)}` };
  const named = naming.find((name) => header(name.toLowerCase()) !== '');
  if (named) return { flaw: `has the header ${named}` };
  let body: unknown;
  try {
    body = readJson(text, within);
  } catch (error) {
    if (error instanceof JsonError) return { flaw: error.message };
    throw error;
  }
  const repeated = repeatedMember(text);
  if (repeated !== undefined) return { flaw: `has the member ${JSON.stringify(repeated.slice(0, 100))} twice` };
  const { data, error } = schema.safeParse(body);
  return error ? { flaw: differenceIn(error) } : { value: data };
}
