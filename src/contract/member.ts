/** Whether a table has an own member of this name; excludes inherited ones such as `constructor`. */
export const own = <T extends object>(table: T, name: PropertyKey): name is keyof T => Object.hasOwn(table, name);

/** Returns a value's own member; undefined if the value is not an object or has none of this name. */
export const memberOf = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Record<string, unknown>)[name] // an object that has the member
    : undefined;

/** Returns a table's own member; undefined if it has none of this name. */
export const member = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  own(table, name) ? table[name] : undefined;
