import { stringify } from '#contract/json.ts';
import { pageSize } from '#contract/constants.ts';
import { Failure } from '#server/failure.ts';
import type { Where } from '#server/storage/recordRows.ts';
import type { Records } from '#server/storage/records.ts';

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

/** Returns how many of these fit into a page of at most `limit` elements; the first one always does. */
function fitting(elements: readonly unknown[], limit: number): number {
  let [number, length] = [0, 0];
  for (const each of elements.slice(0, limit)) {
    length += stringify(each).length;
    if (number > 0 && length > pageLength) break;
    number += 1;
  }
  return number;
}

const limitOf = ({ limit }: PageQuery, most = 100): number => Math.min(Number(limit ?? pageSize), most);

const isGone = (id: string) =>
  new Failure('invalid-request', `The list has no element ${id} any more: start again without after.`);

/**
 * Returns one page of a list: at most `limit` elements, and never more than `most`, after the element with the id `after`, as many as its length
 * allows. Throws `invalid-request` if that element no longer exists.
 */
export function paginate<T>(
  all: readonly T[],
  idOf: (each: T) => string,
  query: PageQuery = {},
  most?: number,
): Page<T> {
  const { after } = query;
  const begin = after === undefined ? 0 : all.findIndex((each) => idOf(each) === after) + 1;
  if (after !== undefined && begin === 0) throw isGone(after);
  const data = all.slice(begin, begin + fitting(all.slice(begin), limitOf(query, most)));
  const last = data.at(-1);
  const isMore = begin + data.length < all.length;
  return { data, total: all.length, ...(isMore && last !== undefined && { next: idOf(last) }) };
}

/**
 * Returns one page of records, the latest first, as `paginate` does, without reading those of other pages; with `isWanted`,
 * reads all, because their number is not stored.
 */
export async function pageOfRecords<T>(
  records: Pick<Records<T>, 'list' | 'latest' | 'count' | 'get'>,
  { where = {}, isWanted, idOf }: { where?: Where; isWanted?: (each: T) => boolean; idOf: (each: T) => string },
  query: PageQuery,
): Promise<Page<T>> {
  const { after } = query;
  if (isWanted) return paginate((await records.list(where)).filter(isWanted).reverse(), idOf, query);
  if (after !== undefined && (await records.get(after)) === undefined) throw isGone(after);
  const limit = limitOf(query);
  const found = (await records.latest(limit + 1, where, after)).reverse(); // one more tells whether there is a next page
  const data = found.slice(0, fitting(found, limit));
  const last = data.at(-1);
  const isMore = data.length < found.length;
  return { data, total: await records.count(where), ...(isMore && last !== undefined && { next: idOf(last) }) };
}
