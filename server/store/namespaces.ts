/**
 * The first scope of every workspace. Its namespaces omit the scope, because they date from the time when a workspace
 * held one company.
 */
export const firstScope = 'first';

/** Kinds of records that belong to the workspace; all others belong to a scope. */
const widerKinds = ['logins', 'timeline', 'programs'];
export const isOfWorkspace = (kind: string): boolean => widerKinds.includes(kind);

/** The namespace of a kind of record. A scope's name contains no slash. */
export const namespaceOf = (workspace: string, scope: string, kind: string): string =>
  scope === firstScope || isOfWorkspace(kind) ? `${workspace}/${kind}` : `${workspace}/${scope}/${kind}`;

export interface Place {
  workspace: string;
  scope: string;
}

/** The workspace and the scope that a namespace belongs to. */
export function placeOf(namespace: string): Place {
  const [workspace = '', ...rest] = namespace.split('/');
  return { workspace, scope: rest.length > 1 ? rest[0]! : firstScope }; // the length is checked
}
