import type { CallName } from '#contract/calls.ts';
import { isObject, jsonIn } from '#contract/json.ts';
import { own } from '#contract/member.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { settingsSchema } from '#contract/settings.ts';

/** The calls that write settings, two of which are secrets. */
const writing: readonly string[] = ['setSetting', 'changeSettings'] satisfies CallName[];

const secrets: readonly string[] = ['companySigningKey', 'userJwt'];
const isSetting = (name: unknown): boolean => typeof name === 'string' && own(settingsSchema.shape, name);

/** Every text of JSON, the last one also if it is cut, and every other value. */
const values = /"(?:[^"\\]|\\.)*(?:"|$)|[^\s"[\]{},:]+/gs;
/** What says nothing about a secret: the names of settings and of the two members. */
const isName = (literal: string): boolean => {
  const text = jsonIn(literal);
  return text === 'key' || text === 'value' || isSetting(text);
};

/** Whether a body writes settings that are no secrets, in the one form that the call has, and nothing else. */
function isPlain(name: string, body: string): boolean {
  const parsed = jsonIn(body);
  if (!isObject(parsed)) return false;
  const members = Object.entries(parsed);
  // A member that comes twice is parsed once.
  const isWhole = (body.match(values) ?? []).length === 2 * members.length;
  const hasForm = name === 'changeSettings' || (members.length === 2 && 'key' in parsed && 'value' in parsed);
  const written = name === 'changeSettings' ? Object.keys(parsed) : [parsed['key']];
  const areTexts = members.every(([, value]) => typeof value === 'string');
  return (
    isWhole &&
    hasForm &&
    areTexts &&
    written.every((each) => isSetting(each) && !secrets.some((secret) => secret === each))
  );
}

interface Request {
  url: string;
  body: string;
}

/**
 * Returns a request as it is recorded. One that writes a setting keeps only its names if it was refused, or has not
 * the form of a setting that is no secret: a secret may stand under any name, in any place.
 */
export function recordedSetting(name: string, { url, body }: Request, status: number): Request {
  if (!writing.includes(name)) return { url, body };
  if (status === 200 && isPlain(name, body) && !url.includes('?')) return { url, body };
  return {
    url: url.replace(/[?#].*$/s, `?${encodeURIComponent(secretIsSet)}`),
    body: body.replace(values, (literal) => (isName(literal) ? literal : JSON.stringify(secretIsSet))),
  };
}
