/** Maximum number of workspaces whose changes are counted apart. */
const most = 10_000;

/** Counts the changes of each workspace. */
export interface Changes {
  /** Another one as soon as a change is noted, by this or a wider count. */
  of(workspace: string): string;
  /** Notes a change of the workspaces of these namespaces. */
  note(namespaces: readonly string[]): void;
}

export const workspaceOf = (namespace: string): string => namespace.slice(0, namespace.indexOf('/'));

export function createChanges(): Changes {
  const counts = new Map<string, number>();
  /** How often all counts were forgotten, each time with a change of all workspaces. */
  let forgotten = 0;
  return {
    of: (workspace) => `${forgotten} ${counts.get(workspace) ?? 0}`,
    note(namespaces) {
      for (const workspace of new Set(namespaces.map(workspaceOf))) {
        if (counts.size >= most && !counts.has(workspace)) {
          counts.clear();
          forgotten += 1;
        }
        counts.set(workspace, (counts.get(workspace) ?? 0) + 1);
      }
    },
  };
}

/** Namespaces whose changes are none of their workspace: nothing else that is kept is made of the timeline. */
export const isApart = (namespace: string): boolean => namespace.endsWith('/timeline');
