import { useEffect, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import type { ChosenRecord } from '#ui/RowChooser.tsx';
import { sameVisit, visitOf } from '#ui/visit.ts';

/** Delay in ms between a choice and its write to the address: browsers limit the rate of such writes. */
const pause = 200;

const parameter = 'record';

interface Kept {
  visit: string;
  id: string;
  stay: boolean;
}

/**
 * The row chosen in the page's list. The query parameter `record` stores it; each new visit to the page reads it from
 * there. `moved`: the user has just chosen it to read it, wherever it is shown.
 */
export function useChosenRecord(): { record: ChosenRecord; moved: boolean } {
  const location = useLocation();
  const [query, setQuery] = useSearchParams();
  const visit = visitOf(location);
  const opened = (): Kept => ({ visit, id: query.get(parameter) ?? '', stay: true });
  const [kept, setKept] = useState(opened);
  if (kept.visit !== visit) setKept(opened());
  const { id, stay } = kept;
  useEffect(() => {
    if (kept.visit !== visit || (query.get(parameter) ?? '') === id) return undefined;
    const write = () => {
      const wanted = new URLSearchParams(query);
      if (id) wanted.set(parameter, id);
      else wanted.delete(parameter);
      setQuery(wanted, { replace: true, preventScrollReset: true, state: sameVisit(location) });
    };
    const timer = setTimeout(write, pause);
    return () => clearTimeout(timer);
  }, [kept.visit, visit, query, setQuery, id, location]);
  const record = useMemo(
    () => ({ id, choose: (next: string, stays = false) => setKept({ visit, id: next, stay: stays }) }),
    [id, visit],
  );
  return { record, moved: id !== '' && !stay };
}
