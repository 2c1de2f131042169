/** Maximum number of names with a counter of their own. */
const most = 20_000;

/** Counts the changes to workspaces and to their namespaces, for `Engine.version`. */
export interface Changes {
  /**
   * Returns the version of a workspace or namespace. It changes with each noted change, and when the counters are
   * reset.
   */
  of(name: string): string;
  /** Notes a change to these namespaces and to their workspaces. */
  note(namespaces: readonly string[]): void;
}

export const workspaceOf = (namespace: string): string => namespace.split('/', 1)[0]!; // it has a first part

/** Whether changes to a namespace leave its workspace's version alone: no cached result depends on the timeline. */
export const isApart = (namespace: string): boolean => namespace.endsWith('/timeline');

export function createChanges(): Changes {
  const counts = new Map<string, number>();
  /** How often all counters were reset, which counts as a change to everything. */
  let forgotten = 0;
  function count(name: string): void {
    if (counts.size >= most && !counts.has(name)) {
      counts.clear();
      forgotten += 1;
    }
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return {
    of: (name) => `${forgotten} ${counts.get(name) ?? 0}`,
    note(namespaces) {
      namespaces.forEach(count);
      new Set(namespaces.filter((each) => !isApart(each)).map(workspaceOf)).forEach(count);
    },
  };
}
