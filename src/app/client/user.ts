import { subjectHeader } from '#contract/constants.ts';
import { serverMeta } from './serverMeta.ts';

/** The name of the user for whom the page was loaded; '' if no sign-in is required. */
export const userName = (): string => serverMeta('user');
/** Identifies the user, because two users may have the same name; '' if no sign-in is required. */
export const subject = (): string => serverMeta('subject');

/**
 * A URL with this query for requests to which the page cannot add headers (EventSource, download): the query names the
 * page's user.
 */
export function asUser(path: string, query: readonly (readonly [string, string])[] = []): string {
  const all = [...query, ...(subject() ? [[subjectHeader, subject()] as const] : [])];
  return all.length > 0 ? `${path}?${new URLSearchParams(all.map(([name, value]) => [name, value])).toString()}` : path;
}
