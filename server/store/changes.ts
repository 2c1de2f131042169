/** Maximum number of names whose changes are counted apart. */
const most = 20_000;

/** Counts the changes of workspaces and of their namespaces, for `Engine.version`. */
export interface Changes {
  /** Another one as soon as a change of a workspace or of a namespace is noted, or more names than are counted apart. */
  of(name: string): string;
  /** Notes a change of these namespaces and of their workspaces. */
  note(namespaces: readonly string[]): void;
}

export const workspaceOf = (namespace: string): string => namespace.split('/', 1)[0]!; // it has a first part

/** Whether changes of a namespace are none of its workspace: nothing else that is kept is made of the timeline. */
export const isApart = (namespace: string): boolean => namespace.endsWith('/timeline');

export function createChanges(): Changes {
  const counts = new Map<string, number>();
  /** How often all counts were forgotten, each time with a change of everything. */
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
