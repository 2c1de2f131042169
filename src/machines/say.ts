/**
 * Words for what moves a machine, as they stand in its chart: `description` of a transition for its event, `when` for a
 * guard, the declaration of a port. What stands in typographic quotes is the label of a control.
 */

export const press = (...labels: string[]): string => `Press ${labels.map((label) => `“${label}”`).join(' or ')}`;
export const choose = (label: string): string => `Choose in “${label}”`;

/** Leaving where the screen has no control for it: by the menu, the logo, the browser's back. */
export const leave = 'Leave the page';

/** A guard with what holds where it does, in words that go on from "if". */
export const when = <Guard extends (...args: never[]) => boolean>(
  words: string,
  guard: Guard,
): Guard & { words: string } => Object.assign(guard, { words });
