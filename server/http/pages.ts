import { stringify } from '#contract/json.ts';
import { pageSize } from '#contract/constants.ts';
import { Failure } from '../failure.ts';

/** Maximum length of a page, in characters of JSON; a page has at least one element even if that is longer. */
const pageLength = 256 * 1024;

interface Page<T> {
  data: T[];
  /** Number of elements of the whole list. */
  total: number;
  next?: string;
}

export interface PageQuery {
  limit?: string | undefined;
  after?: string | undefined;
}

/** Returns the index at which a page begins and the maximum number of its elements. Throws as `pageOf` does. */
function rangeOf<T>(all: readonly T[], idOf: (each: T) => string, { limit, after }: PageQuery): [number, number] {
  const begin = after === undefined ? 0 : all.findIndex((each) => idOf(each) === after) + 1;
  if (after !== undefined && begin === 0)
    throw new Failure('invalid-request', `The list has no element ${after} any more: start again without after.`);
  return [begin, Math.min(Number(limit ?? pageSize), 100)];
}

/** Returns the page that begins with these elements, as many as its length allows; omits removed elements. */
function pageFrom<E, T>(
  all: readonly E[],
  idOf: (each: E) => string,
  begin: number,
  elements: readonly (T | undefined)[],
): Page<T> {
  const data: T[] = [];
  let [end, length] = [begin, 0];
  for (const each of elements) {
    length += each === undefined ? 0 : stringify(each).length;
    if (data.length > 0 && length > pageLength) break;
    if (each !== undefined) data.push(each);
    end += 1;
  }
  const last = all[end - 1];
  return { data, total: all.length, ...(last !== undefined && end < all.length && { next: idOf(last) }) };
}

/**
 * Returns one page of a list: at most `limit` elements after the element with the id `after`. Throws `invalid-request`
 * if that element no longer exists.
 */
export function pageOf<T>(all: readonly T[], idOf: (each: T) => string, query: PageQuery = {}): Page<T> {
  const [begin, most] = rangeOf(all, idOf, query);
  return pageFrom(all, idOf, begin, all.slice(begin, begin + most));
}

/** The same for a list of which only outlines are in memory: reads only the elements of the page. */
export async function openedPageOf<E, T>(
  all: readonly E[],
  idOf: (each: E) => string,
  open: (id: string) => Promise<T | undefined>,
  query: PageQuery = {},
): Promise<Page<T>> {
  const [begin, most] = rangeOf(all, idOf, query);
  const opened = await Promise.all(all.slice(begin, begin + most).map((each) => open(idOf(each))));
  return pageFrom(all, idOf, begin, opened);
}
