import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { sameVisit, visitOf } from './visit.ts';

/**
 * How a list is looked at: the words it is filtered by, the column it is sorted by ('' for none), the page from 1,
 * the one status that is shown ('' for all). */
export interface View {
  term: string;
  sort: string;
  descending: boolean;
  page: number;
  status: string;
}

/** Typing rests this long, in ms, before the address is written: browsers refuse to write it many times a second. */
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

/** The address's parameters with this view in them; what is as it is without a choice is left out. */
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
 * How a list is looked at, kept in the address under `q`, `sort` ("-" in front: descending), `page` and `status`, with `prefix`
 * in front of each name; without a prefix it is kept nowhere. Coming to the page anew, also back and forward, gives
 * what the address says.
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
