import { stringify } from '#contract/json.ts';
import { pageSize } from '#contract/constants.ts';
import { Failure } from './failure.ts';

/** Maximum length of a page, in characters of JSON; a page has at least one element, whatever its length. */
const pageLength = 256 * 1024;

interface Page<T> {
  data: T[];
  /** Number of elements of the whole list. */
  total: number;
  next?: string;
}

/**
 * Returns one page of a list: at most `limit` elements after the element with the id `after`. Throws `invalid-request`
 * if that element no longer exists.
 */
export function pageOf<T>(
  all: readonly T[],
  idOf: (each: T) => string,
  { limit, after }: { limit?: string | undefined; after?: string | undefined } = {},
): Page<T> {
  const begin = after === undefined ? 0 : all.findIndex((each) => idOf(each) === after) + 1;
  if (after !== undefined && begin === 0)
    throw new Failure('invalid-request', `The list has no element ${after} any more: begin again without after.`);
  const most = Math.min(Number(limit ?? pageSize), 100);
  const data: T[] = [];
  let length = 0;
  for (const each of all.slice(begin, begin + most)) {
    length += stringify(each).length;
    if (data.length > 0 && length > pageLength) break;
    data.push(each);
  }
  const last = data.at(-1);
  const isLast = begin + data.length >= all.length;
  return { data, total: all.length, ...(last !== undefined && !isLast && { next: idOf(last) }) };
}
