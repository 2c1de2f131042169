import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { call } from './client.ts';

export interface FactsState {
  /** The last facts that could be read, also while a later reading failed. */
  facts: Facts | null;
  /** Why the last reading failed. */
  failure: Problem | null;
  loading: boolean;
}

const FactsContext = createContext<(FactsState & { refresh: () => Promise<void> }) | null>(null);

const loadFacts = () => call('getFacts', {});

/** Reads the facts at the start and whenever `refresh` is called; of readings that overlap the last one counts. */
export function FactsProvider({ load = loadFacts, children }: { load?: () => Promise<Facts>; children: ReactNode }) {
  const [state, setState] = useState<FactsState>({ facts: null, failure: null, loading: true });
  const latest = useRef(0);
  const read = useCallback(async () => {
    const turn = (latest.current += 1);
    const settle = (news: Partial<FactsState>) => {
      if (turn === latest.current) setState((old) => ({ ...old, ...news, loading: false }));
    };
    await load().then(
      (facts) => settle({ facts, failure: null }),
      (failure: Problem) => settle({ failure }),
    );
  }, [load]);
  const refresh = useCallback(() => {
    setState((old) => ({ ...old, loading: true }));
    return read();
  }, [read]);
  useEffect(() => void read(), [read]);
  const value = useMemo(() => ({ ...state, refresh }), [state, refresh]);
  return <FactsContext value={value}>{children}</FactsContext>;
}

/** Where the user stands, and `refresh` to read it again. */
export function useFacts() {
  const facts = use(FactsContext);
  if (!facts) throw new Error('useFacts needs a FactsProvider above it');
  return facts;
}
