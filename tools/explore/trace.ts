/** A pressed element, in the names of the trace. */
interface Fingerprint {
  tag: string;
  accessible_name?: string;
  text_content?: string;
  href?: string;
}

/** A state that was reached, as a line of Bombadil's trace. */
export interface Step {
  /** What led here; null in the first state. */
  action: string | Record<string, { fingerprint?: Fingerprint }> | null;
  state: { url: string; hash_current: number | null };
  snapshots: readonly { name: string | null; value: unknown }[];
  violations?: readonly { name: string }[];
}

/** What a page says, of which the properties speak; see `page` in specification.ts. */
interface Said {
  says: { bar: boolean; workspace: boolean; gate: string; batches: number; paid: number };
  typed: Record<string, string>;
}

/** A property that was broken. */
export interface Broken {
  property: string;
  /** After how many actions, and the latest of them. */
  first: number;
  last: readonly string[];
  /** Where the trace is, and Bombadil's own words for it. */
  folder: string;
  said: string;
}

/** How many actions before a broken property are told. */
const told = 12;

function wordsOf(action: Step['action']): string {
  if (action === null || typeof action === 'string') return action ?? '';
  return Object.entries(action)
    .map(([kind, { fingerprint, ...of }]) => {
      if (!fingerprint) return `${kind} ${JSON.stringify(of)}`;
      const { tag, accessible_name: name, text_content: text, href } = fingerprint;
      return `${kind} ${tag} “${name ?? text ?? href ?? ''}”`;
    })
    .join();
}

const addTo = (counts: Map<string, number>, what: string, times = 1): void =>
  void counts.set(what, (counts.get(what) ?? 0) + times);

export type Tally = ReturnType<typeof tallyOf>;

/** Counts what has been seen. */
export function tallyOf() {
  const [pages, seen, gates] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const ends = new Map<string, number>();
  const states = new Set<unknown>();
  const broken = new Map<string, Broken>();
  const done: string[] = [];
  let actions = 0;

  function count({ says, typed }: Said): void {
    addTo(seen, 'status bars', says.bar ? 1 : 0);
    addTo(seen, 'workspaces', says.workspace ? 1 : 0);
    addTo(seen, 'batches', says.batches);
    addTo(seen, 'paid invoices', says.paid);
    addTo(seen, 'forms with what was typed', Object.keys(typed).length > 0 ? 1 : 0);
    if (says.gate) addTo(gates, `“${says.gate}”`);
  }

  return {
    add({ action, state, snapshots, violations = [] }: Step, folder: string): void {
      const { pathname } = new URL(state.url);
      if (action !== null) {
        actions += 1;
        done.push(`${wordsOf(action)}, on ${pathname}`);
        if (done.length > told) done.shift();
        if (action === 'Forward' && done.at(-2)?.startsWith('Back,')) addTo(seen, 'times back and forward');
      }
      addTo(pages, pathname);
      states.add(state.hash_current);
      const said = snapshots.find(({ name }) => name === 'page')?.value as Said | null | undefined; // Bombadil names it so
      if (said) count(said);
      for (const { name } of violations)
        if (!broken.has(name)) broken.set(name, { property: name, first: actions, last: [...done], folder, said: '' });
    },
    actions: () => actions,
    /** Bombadil has ended like this. */
    ended: (end: string) => addTo(ends, end),
    /** How often it has. */
    ends: (end: 'still' | 'elsewhere') => ends.get(end) ?? 0,
    broken: () => [...broken.values()],
    sums: () => ({ pages, states: states.size, seen, gates }),
  };
}
