import { z } from 'zod';
import { isObject } from '#contract/json.ts';
import { jsonLimits } from '#server/http/json.ts';
import { lenientParse } from './lenientParse.ts';
import { readStrictly, strict, type Received } from './strict.ts';

/** Maximum number of errors returned. */
const maximumErrors = 100;

const text = z.string().optional();
const fieldError = z.looseObject({ path: text, target: text, field: text, message: text, detail: text, code: text });
const described = z.looseObject({ title: text, detail: text, message: text, code: text });

interface Refusal {
  /** One sentence; absent if the service gave none. */
  detail?: string;
  errors: { path: string; message: string }[];
}

/** Reads an error of a list: a text, or an object that names the faulty field in one of several ways. */
function errorOf(each: unknown): { path: string; message: string }[] {
  if (typeof each === 'string') return [{ path: '', message: each }];
  const reading = lenientParse(fieldError, each);
  if ('fault' in reading) return [];
  const { path, target, field, message, detail, code } = reading.value;
  const said = message ?? detail ?? code;
  return said === undefined ? [] : [{ path: path ?? target ?? field ?? '', message: said }];
}

/** Reads errors from a list, or from an object of messages by field; omits errors without a message. */
export function errorsIn(errors: unknown): { path: string; message: string }[] {
  if (Array.isArray(errors)) return errors.slice(0, maximumErrors).flatMap(errorOf);
  if (!isObject(errors)) return [];
  return Object.entries(errors)
    .slice(0, maximumErrors)
    .flatMap(([path, messages]) =>
      errorsIn(Array.isArray(messages) ? messages : [messages]).map(({ message }) => ({ path, message })),
    )
    .slice(0, maximumErrors);
}

/** Reads the body of a refusal: problem+json, or {"error": {code, message, detail}} (wire, section 14). */
export function parseRefusal(body: unknown): Refusal {
  const { error } = isObject(body) ? body : {};
  const told = isObject(error) ? error : body;
  const reading = lenientParse(described, told);
  if ('fault' in reading) return { errors: [] };
  const { title, detail, message, code } = reading.value;
  const said = (typeof error === 'string' ? error : undefined) ?? detail ?? message ?? title ?? code;
  const { errors, detail: details } = told as Record<string, unknown>; // refusals without an object were returned above
  return { ...(said !== undefined && { detail: said }), errors: errorsIn(errors ?? (said === details ? [] : details)) };
}

const { text: words, filled, code } = strict;
const fault = z.strictObject({ path: filled, message: filled, code: code.nullish(), ruleId: words });
const detail = z.strictObject({ target: filled, message: filled, code: code.nullish(), index: z.int().nullish() });

/**
 * The strict shape of a refusal (wire 4.4): problem+json, or `error` alone. It carries its code or its list of errors; a
 * free text alone may be a proxy's.
 */
const strictRefusal = z
  .strictObject({
    type: z.literal('about:blank').nullish(),
    title: words,
    status: z.int().nullish(),
    detail: words,
    code: code.nullish(),
    errors: z.array(fault).nullish(),
    error: z
      .strictObject({ code: code.nullish(), message: words, detail: z.union([words, z.array(detail)]) })
      .nullish(),
  })
  .refine(
    ({ error, ...problem }) => !error || Object.values(problem).every((member) => member === undefined),
    'has members beside its error',
  )
  .refine(({ error, ...problem }) => {
    const errors = error ? error.detail : problem.errors;
    return Boolean((error ?? problem).code) || (Array.isArray(errors) && errors.length > 0);
  }, 'has neither a code nor a list of errors');

/** Returns why a refusal (4xx) is not believed, to be continued after "it"; '' if it has the strict shape. */
export function flawOfRefusal(received: Received): string {
  // The console asks for no coding, so a proxy has written it.
  if (!/^(identity)?$/i.test(received.header('content-encoding'))) return 'is compressed';
  const { value, flaw } = readStrictly(strictRefusal, received, jsonLimits.answer);
  if (!value) return flaw;
  const status = value.status ?? received.status;
  return status === received.status ? '' : `states the status ${status}`;
}
