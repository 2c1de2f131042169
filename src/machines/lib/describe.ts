/**
 * Texts for the causes of transitions in charts: a transition's `description` for its event, `when` for a guard, the
 * declaration for an effect. Texts in typographic quotes are labels of controls.
 */

export const pressLabel = (...labels: string[]): string => `Press ${labels.map((label) => `“${label}”`).join(' or ')}`;
export const selectLabel = (label: string): string => `Choose in “${label}”`;

/** What the root of a chart declares: the events that another part of the page reports, neither the user nor an effect. */
export interface Reported {
  reports: readonly string[];
}

/**
 * A guard with its condition in words, which continue after "if". The guard declares the types of `context` and
 * `event`, because a chart cannot pass them on.
 */
export const describedGuard = <Args, More extends unknown[]>(
  words: string,
  guard: (args: Args, ...more: More) => boolean,
): typeof guard & { words: string } => Object.assign(guard, { words });
