import type {
  ActorRefLike,
  AnyActorRef,
  AnyEventObject,
  AnyMachineSnapshot,
  InspectionEvent,
  Subscription,
} from 'xstate';
import { member, own } from '#contract/member.ts';
import type { FormState } from '#machines/lib/form.ts';
import { hasTag } from '#machines/lib/state.ts';
import { journeyOrder, type JourneyId } from '#machines/journeys.ts';
import type { Form, Values } from '#rules/field.ts';
import { sessionStore } from './storage.ts';

/**
 * The unsent choices and input of a journey, stored in this tab's session storage so that a reload loses nothing: the
 * last choice of each kind, and the form's values by field. Only fields of the open form are restored.
 */
interface Draft {
  choices: Readonly<Record<string, AnyEventObject>>;
  fields: Values;
  /** The input before the form was filled with its examples, which replace invalid values. */
  before?: Values;
}

/**
 * Events that choose one of several options, in dependency order (a later choice builds on the earlier ones), and the
 * member that holds the choice.
 */
const choiceMembers = {
  'provider.choose': 'providerId',
  'path.choose': 'apiPath',
  'format.choose': 'fileFormatId',
  'debtor.choose': 'debtorId',
  'date.choose': 'date',
  'invoices.tick': 'ids',
  'form.fill': null,
} as const;
type ChoiceType = keyof typeof choiceMembers;
const choiceTypes = Object.keys(choiceMembers) as ChoiceType[]; // its own keys

const slotOf = (id: JourneyId): string => `draft:${id}`;

const noDraft: Draft = { choices: {}, fields: {} };

type Parsed = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Parsed => (typeof value === 'object' && value !== null ? (value as Parsed) : {}); // just checked
const isText = (value: unknown): value is string => typeof value === 'string';

const textsOf = (value: unknown): Values =>
  Object.fromEntries(Object.entries(objectOf(value)).flatMap(([name, text]) => (isText(text) ? [[name, text]] : [])));

/** The event of a stored choice; undefined if what is stored is no event of that type. */
function choiceOf(type: ChoiceType, stored: unknown): AnyEventObject | undefined {
  const name = choiceMembers[type];
  const { type: storedType, ...members } = objectOf(stored);
  if (storedType !== type) return undefined;
  if (name === null) return { type };
  const value = members[name];
  const isChoice = name === 'ids' ? Array.isArray(value) && value.every(isText) : isText(value);
  return isChoice ? { type, [name]: value } : undefined;
}

/**
 * The draft of a journey. Ignores whatever is no part of a draft, because another version of the page, or another page
 * of this origin, may have stored something else.
 */
function read(id: JourneyId): Draft {
  try {
    const stored = objectOf(JSON.parse(sessionStore().getItem(slotOf(id)) ?? 'null'));
    const choices = choiceTypes.flatMap((type) => choiceOf(type, objectOf(stored['choices'])[type]) ?? []);
    return {
      choices: Object.fromEntries(choices.map((each) => [each.type, each])),
      fields: textsOf(stored['fields']),
      ...('before' in stored && { before: textsOf(stored['before']) }),
    };
  } catch {
    return noDraft;
  }
}

const write = (id: JourneyId, draft: Draft): void => sessionStore().setItem(slotOf(id), JSON.stringify(draft));

/** Whether the events of a draft are being sent; they are stored already. */
let restoring = false;

/** Stores a choice or a field's value from a user's event; ignores all other events. */
export function keepDraft(id: JourneyId, event: AnyEventObject): void {
  if (restoring) return;
  if (event.type === 'settings.fill') likeExamples();
  const { choices, fields, before = {} } = read(id);
  if (event.type === 'form.fill') {
    likeExamples();
    write(id, { choices: { ...choices, [event.type]: event }, fields: {}, before: { ...before, ...fields } });
  } else if (event.type === 'form.change') {
    const { field, value } = event as unknown as { field: string; value: string }; // the event of machines/lib/form.ts
    write(id, { choices, fields: { ...fields, [field]: value }, before });
  } else if (own(choiceMembers, event.type))
    write(id, { choices: { ...choices, [event.type]: event }, fields, before });
  else if (event.type === 'provider.clear') write(id, { choices: {}, fields, before });
}

/** Fills each further form of the guided path in this tab with its examples. */
export const likeExamples = (): void => sessionStore().setItem('examples', 'true');

/** Whether the user of this tab has filled a form with its examples. */
const likesExamples = (): boolean => sessionStore().getItem('examples') === 'true';

const dropDraft = (id: JourneyId): void => sessionStore().removeItem(slotOf(id));

/** Deletes all drafts of this tab. */
export function dropDrafts(): void {
  for (const id of journeyOrder) dropDraft(id);
  sessionStore().removeItem('examples');
}

/**
 * Deletes the drafts of another user of this tab, whose session may have ended without signing out. `subject`
 * identifies the signed-in user independently of the displayed name; '' if no sign-in is required.
 */
export function claimDrafts(subject: string): void {
  if (sessionStore().getItem('subject') !== subject) dropDrafts();
  sessionStore().setItem('subject', subject);
}

/**
 * The stored choices in dependency order. On the guided path, once a user has filled one form with its examples, every
 * further form without a draft is filled too.
 */
function draftedChoices(id: JourneyId, guided: boolean): AnyEventObject[] {
  const { choices, fields } = read(id);
  const begun = Object.keys(choices).length > 0 || Object.keys(fields).length > 0;
  if (guided && !begun && likesExamples()) keepDraft(id, { type: 'form.fill' });
  return choiceTypes.flatMap((type) => read(id).choices[type] ?? []);
}

/** The events that set this form's fields to the stored values, where these differ from those shown. */
const changesTo = (form: Form, stored: Values, shown: Values = {}): AnyEventObject[] =>
  form.fields.flatMap(({ id: field }) => {
    const value = member(stored, field);
    return value === undefined || value === shown[field] ? [] : { type: 'form.change', field, value };
  });

/** Whether the stored input equals the values that were sent. */
const isSent = (id: JourneyId, values: Values | undefined): boolean =>
  !values || Object.entries(read(id).fields).every(([field, value]) => values[field] === value);

/** The journeys whose events are stored. */
const drafted = new WeakMap<ActorRefLike, JourneyId>();

/** An inspector that stores the drafts of the journeys opened by `restoreDraft`. */
export function recordDraft(seen: InspectionEvent): void {
  const journey = seen.type === '@xstate.event' ? drafted.get(seen.actorRef) : undefined;
  if (journey && seen.type === '@xstate.event') keepDraft(journey, seen.event);
}

/**
 * Restores the stored choices and input when a form of the journey opens; deletes them once they are sent or the
 * journey ends. A journey may also open while an earlier message awaits its answer; then a draft that differs from that
 * message is kept. Each choice is restored only once, after which the user may change it.
 */
export function restoreDraft(id: JourneyId, step: AnyActorRef, guided = false): Subscription {
  let waiting: AnyEventObject[] | undefined;
  let filled: Form | null = null;
  const send = (...events: readonly AnyEventObject[]): void => {
    const outer = restoring;
    restoring = true;
    for (const each of events) step.send(each);
    restoring = outer;
  };
  const look = (now: AnyMachineSnapshot) => {
    const { form, values } = now.context as Partial<FormState>; // of those journeys that have a form
    // Sent input is no longer a draft, even while its answer is awaited.
    const isOver = now.hasTag('done') || now.hasTag('told') || now.status === 'done';
    if (isOver && (waiting || isSent(id, values))) dropDraft(id);
    // What the form shows beside the question whether to create another is not filled in yet.
    if (!now.hasTag('form') || hasTag(now, 'busy') || now.hasTag('existing')) filled = null;
    else if (form !== filled || form === undefined) {
      waiting ??= draftedChoices(id, guided);
      const choice = waiting.find((each) => now.can(each));
      waiting = waiting.filter((each) => each !== choice);
      if (choice?.type === 'form.fill' && form) {
        filled = form;
        send(...changesTo(form, read(id).before ?? {}, values));
        filled = null;
      }
      // The resulting state is handled by the next call of `look`.
      if (choice) return send(choice);
      filled = form ?? null;
      if (form) send(...changesTo(form, read(id).fields, values));
    }
  };
  drafted.set(step, id);
  const watching = step.subscribe({ next: look, error: () => undefined });
  const now = step.getSnapshot() as AnyMachineSnapshot | undefined; // undefined before it is started
  if (now) look(now);
  return watching;
}
