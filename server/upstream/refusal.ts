import { z } from 'zod';
import { isObject } from '#contract/json.ts';
import { lenientParse } from './lenientParse.ts';

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
