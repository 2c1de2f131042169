import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { sameVisit, visitOf } from './visit.ts';

/**
 * The view of a list: filter term, id of the sort column ('' for none), sort direction, page (from 1), and the status
 * filtered by ('' for none).
 */
export interface View {
  term: string;
  sort: string;
  descending: boolean;
  page: number;
  status: string;
}

/** Delay in ms between a change and its write to the address: browsers limit the rate of such writes. */
const pause = 200;

const namesOf = (prefix: string) => ({
  term: `${prefix}q`,
  sort: `${prefix}sort`,
  page: `${prefix}page`,
  status: `${prefix}status`,
});

function readView(query: URLSearchParams, prefix: string): View {
  const names = namesOf(prefix);
  const sort = query.get(names.sort) ?? '';
  return {
    term: query.get(names.term) ?? '',
    sort: sort.replace(/^-/, ''),
    descending: sort.startsWith('-'),
    page: Math.max(1, Math.trunc(Number(query.get(names.page))) || 1),
    status: query.get(names.status) ?? '',
  };
}

/** The query parameters with this view; leaves out default values. */
function withView(
  query: URLSearchParams,
  prefix: string,
  { term, sort, descending, page, status }: View,
): URLSearchParams {
  const names = namesOf(prefix);
  const values = { [names.term]: term, [names.status]: status, [names.sort]: sort && (descending ? '-' : '') + sort };
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries({ ...values, [names.page]: page > 1 ? String(page) : '' }))
    if (value) changed.set(name, value);
    else changed.delete(name);
  return changed;
}

/**
 * The view of a list and a function that changes it. The query parameters `q`, `sort` (descending with a leading "-"),
 * `page` and `status` store it, each with the prefix `prefix`; without a prefix, the view is not stored. Each new visit
 * to the page, also by Back and Forward, reads the view from the address.
 */
export function useView(prefix: string | undefined): [View, (change: Partial<View>) => void] {
  const location = useLocation();
  const [query, setQuery] = useSearchParams();
  const visit = visitOf(location);
  const opened = () => ({ visit, view: readView(prefix === undefined ? new URLSearchParams() : query, prefix ?? '') });
  const [kept, setKept] = useState(opened);
  if (kept.visit !== visit) setKept(opened());
  const { view } = kept;
  useEffect(() => {
    if (prefix === undefined || kept.visit !== visit) return undefined;
    const wanted = withView(query, prefix, view);
    if (wanted.toString() === query.toString()) return undefined;
    const write = () => setQuery(wanted, { replace: true, preventScrollReset: true, state: sameVisit(location) });
    const timer = setTimeout(write, pause);
    return () => clearTimeout(timer);
  }, [prefix, kept.visit, visit, query, setQuery, view, location]);
  return [view, (change) => setKept({ visit, view: { ...view, ...change } })];
}
