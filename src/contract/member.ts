/** Whether a table has a name as its own: `constructor` and others are in every object. */
export const own = <T extends object>(table: T, name: PropertyKey): name is keyof T => Object.hasOwn(table, name);

/** Returns a table's own member; undefined if it has none of that name. */
export const member = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  own(table, name) ? table[name] : undefined;
