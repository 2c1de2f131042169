const member = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Record<string, unknown>)[name] // an object that has the member
    : undefined;

/** The text at a dotted path of a body, '' where there is none. */
export function textAt(body: unknown, path: string): string {
  const found = path.split('.').reduce(member, body);
  return typeof found === 'string' ? found : '';
}
