/** Whose records they are while nobody signs in, and those that belong to nobody else. */
export const defaultWorkspace = 'default';

/** Makes a value once for each workspace: what the requests of one user share must not be shared with another's. */
export function perWorkspace<Value>(make: (workspace: string) => Value): (workspace: string) => Value {
  const made = new Map<string, Value>();
  return (workspace) => {
    const value = made.get(workspace) ?? make(workspace);
    made.set(workspace, value);
    return value;
  };
}
