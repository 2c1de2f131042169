import { act, fireEvent, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel, type UserEvent as User } from '@testing-library/user-event';
import type { AnyStateMachine, ContextFrom, EventFrom } from 'xstate';
import type { FormState } from '#machines/lib/form.ts';

export type { User };

/** A user without delays between actions. */
export const newUser = (): User =>
  userEvent.setup({ delay: null, skipHover: true, pointerEventsCheck: PointerEventsCheckLevel.Never });

/** Thrown if a user finds no control for an event. */
export class NoControl extends Error {}

type Gesture<Event, Context> = (user: User, event: Event, context: Context) => Promise<void>;

/** How a user causes each event of a machine. */
export type Gestures<M extends AnyStateMachine> = {
  [Type in EventFrom<M>['type']]: Gesture<Extract<EventFrom<M>, { type: Type }>, ContextFrom<M>>;
};

/** A journey's screen from the user's point of view, without the types of its machine. */
export interface Screen {
  gestures: Readonly<Record<string, Gesture<unknown, unknown>>>;
  /** Texts of the step by the state in which they are shown; they must not appear in any other state. */
  shows: Readonly<Record<string, string>>;
}

/** The screen of a machine; a missing gesture is a compile error. `facts.arrived` needs none. */
export const screenOf =
  <M extends AnyStateMachine>(_machine: M) =>
  (gestures: Omit<Gestures<M>, 'facts.arrived'>, shows: Screen['shows'] = {}): Screen => ({
    gestures: gestures as unknown as Screen['gestures'], // checked above, made without types
    shows,
  });

/** The part of the page that the user can reach: the open dialog if there is one, otherwise everything. */
const reach = () => within(document.querySelector<HTMLElement>('dialog[open]') ?? document.body);

/** The first control of that role with one of these names; earlier names take precedence. */
function find(role: string, names: readonly (string | RegExp)[]): HTMLElement {
  for (const name of names) {
    const [control] = reach().queryAllByRole(role, { name });
    if (control) return control;
  }
  throw new NoControl(`The screen has no ${role} named ${names.join(' or ')}`);
}

/** Presses the button with one of these names. */
export const press =
  (...names: (string | RegExp)[]) =>
  (user: User): Promise<void> =>
    user.click(find('button', names));

/** Follows the link with this name. */
export const follow =
  (name: string) =>
  (user: User): Promise<void> =>
    user.click(find('link', [name]));

/** Fills the form with its examples; where it has been filled already, empties it first, as its button does then. */
export async function fill(user: User): Promise<void> {
  const clear = /^Clear( examples)?$/;
  if (reach().queryByRole('button', { name: clear })) await press(clear)(user);
  await press('Fill with example')(user);
}

/** Ticks or unticks the checkbox with this name. */
export const tick = (user: User, name: string | RegExp): Promise<void> => user.click(find('checkbox', [name]));

/** Sets the date field with this name. */
export async function setDate(name: string, date: string): Promise<void> {
  const field = reach().queryByLabelText<HTMLInputElement>(name);
  if (!field) throw new NoControl(`The screen has no field named ${name}`);
  await act(() => Promise.resolve(fireEvent.change(field, { target: { value: date } })));
}

/** The options of the open list. */
export const offered = (): HTMLElement[] => within(document.body).queryAllByRole('option');

/** Chooses an option by value in the list with this name. */
export async function choose(user: User, name: string, value: string): Promise<void> {
  const list = find('combobox', [name]);
  if (list.dataset['value'] === value) throw new NoControl(`The list ${name} shows ${value} already`);
  await user.click(list);
  const option = offered().find((each) => each.dataset['value'] === value);
  if (!option || option.getAttribute('aria-disabled') === 'true')
    throw new NoControl(`The list ${name} does not offer ${value}`);
  await user.click(option);
}

/** Chooses an option of a list by text or value. */
export async function pick(user: Pick<User, 'click'>, list: HTMLElement, wanted: string): Promise<void> {
  await user.click(list);
  const option = offered().find((each) => each.textContent === wanted || each.dataset['value'] === wanted);
  if (!option) throw new NoControl(`The list does not offer ${wanted}`);
  await user.click(option);
}

/** Replaces the content of the text field with this name. */
export async function write(user: User, name: string, text: string): Promise<void> {
  const field = find('textbox', [name]) as HTMLInputElement; // a native field has this role
  if (field.value !== '') await user.clear(field);
  if (text !== '') await enter(user, field, text);
}

/** Enters text in an empty field at once, as by pasting: where no single key counts, it saves drawing the page for each. */
export async function enter(user: Pick<User, 'click' | 'paste'>, field: Element, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text);
}

/** Fills in a form field of any kind. */
export async function fillIn(
  user: User,
  { field: id, value }: { field: string; value: string },
  { form }: FormState,
): Promise<void> {
  const field = form.fields.find((each) => each.id === id);
  if (!field) throw new NoControl(`The form has no field ${id}`);
  const name = field.label + (field.required || field.kind === 'boolean' ? '' : ' (optional)');
  if (field.kind === 'text') await write(user, name, value);
  else if (field.kind === 'choice') await choose(user, name, value);
  else await tick(user, name);
}
