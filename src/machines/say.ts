/**
 * Words for what moves a machine, as they stand in its chart: `description` of a transition for its event, `when` for a
 * guard, the declaration of a port. What stands in typographic quotes is the label of a control.
 */

export const press = (...labels: string[]): string => `Press ${labels.map((label) => `“${label}”`).join(' or ')}`;
export const choose = (label: string): string => `Choose in “${label}”`;

/**
 * A guard with what holds where it does, in words that go on from "if". The guard says of what type its `context` and
 * `event` are: a chart cannot hand them on.
 */
export const when = <Args, More extends unknown[]>(
  words: string,
  guard: (args: Args, ...more: More) => boolean,
): typeof guard & { words: string } => Object.assign(guard, { words });
