import { stringify } from '#contract/json.ts';
import { pageSize } from '#contract/constants.ts';
import { Failure } from '#server/failure.ts';

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

/**
 * Returns one page of a list: at most `limit` elements after the element with the id `after`, as many as its length
 * allows. Throws `invalid-request` if that element no longer exists.
 */
export function paginate<T>(all: readonly T[], idOf: (each: T) => string, { limit, after }: PageQuery = {}): Page<T> {
  const begin = after === undefined ? 0 : all.findIndex((each) => idOf(each) === after) + 1;
  if (after !== undefined && begin === 0)
    throw new Failure('invalid-request', `The list has no element ${after} any more: start again without after.`);
  const data: T[] = [];
  let length = 0;
  for (const each of all.slice(begin, begin + Math.min(Number(limit ?? pageSize), 100))) {
    length += stringify(each).length;
    if (data.length > 0 && length > pageLength) break;
    data.push(each);
  }
  const last = data.at(-1);
  const isMore = begin + data.length < all.length;
  return { data, total: all.length, ...(isMore && last !== undefined && { next: idOf(last) }) };
}
