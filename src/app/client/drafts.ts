import type { AnyActorRef, AnyMachineSnapshot, Subscription } from 'xstate';
import { isProblem } from '#contract/isProblem.ts';
import { isLeftUnknown, noDraft, type Choices, type Draft, type DraftState } from '#machines/lib/draft.ts';
import type { FormState } from '#machines/lib/form.ts';
import type { JourneyContext } from '#machines/lib/gate.ts';
import { isUnknown } from '#machines/lib/journeyActions.ts';
import { hasTag } from '#machines/lib/state.ts';
import { journeyOrder, type JourneyId } from '#machines/journeys.ts';
import type { Values } from '#rules/field.ts';
import { sessionStore } from './storage.ts';

/** What is stored of a journey's draft in this tab's session storage, so that a reload loses nothing. */
type Stored = Omit<Draft, 'fills'>;

const slotOf = (id: JourneyId): string => `draft:${id}`;

const texts = ['providerId', 'apiPath', 'fileFormatId', 'debtorId', 'date'] as const;

type Parsed = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Parsed => (typeof value === 'object' && value !== null ? (value as Parsed) : {}); // just checked
const isText = (value: unknown): value is string => typeof value === 'string';

const textsOf = (value: unknown): Values =>
  Object.fromEntries(Object.entries(objectOf(value)).flatMap(([name, text]) => (isText(text) ? [[name, text]] : [])));

/** The choices of a stored draft. */
function choicesOf(stored: Parsed): Choices {
  const { ticked } = stored;
  const chosen = texts.flatMap((name): [string, string][] => (isText(stored[name]) ? [[name, stored[name]]] : []));
  return { ...Object.fromEntries(chosen), ...(Array.isArray(ticked) && ticked.every(isText) && { ticked }) };
}

/**
 * The stored draft of a journey. Ignores whatever is no part of a draft, because another version of the page, or another
 * page of this origin, may have stored something else.
 */
function read(id: JourneyId): Stored {
  try {
    const stored = objectOf(JSON.parse(sessionStore().getItem(slotOf(id)) ?? 'null'));
    const { choices, fields, unknown } = stored;
    return {
      choices: choicesOf(objectOf(choices)),
      fields: textsOf(fields),
      unknown: isProblem(unknown) && isUnknown({ failure: unknown }) ? unknown : null,
    };
  } catch {
    return noDraft;
  }
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
 * The draft with which a journey opens. On the guided path, once a user has filled one form with its examples, every
 * further form without a draft is filled too.
 */
export function draftOf(id: JourneyId, guided: boolean): Draft {
  const stored = read(id);
  const begun = [stored.choices, stored.fields].some((each) => Object.keys(each).length > 0);
  return { ...stored, fills: guided && !begun && likesExamples() };
}

/** What a journey's context may hold of a draft. */
type Drafted = Partial<FormState & DraftState & JourneyContext> & {
  provider?: { providerId: string } | null;
  format?: { fileFormatId: string } | null;
} & Record<Exclude<keyof Choices, 'fileFormatId'>, unknown>;

const chosenIn = ({ provider, format, ...chosen }: Drafted): Choices =>
  choicesOf({ ...chosen, ...provider, ...format });

/** Whether everything that was entered is among the values that were sent. */
const isSent = ({ fields }: Draft, values: Values = {}): boolean =>
  Object.entries(fields).every(([field, value]) => values[field] === value);

/**
 * Stores the draft of a journey whenever its user changes it; deletes it once it is sent or the journey ends. A journey may
 * also open while an earlier message awaits its answer; then a draft that differs from that message is kept.
 */
export function storeDraft(id: JourneyId, step: AnyActorRef): Subscription {
  /** As the form opened; null before. */
  let stored: string | null = null;
  const look = (now: AnyMachineSnapshot) => {
    const context = now.context as Drafted; // of those journeys that have a form
    const { draft, form, values, failure = null } = context;
    if (context.likesExamples) likeExamples();
    if (!draft) return;
    // Sent input is no longer a draft, even while its answer is awaited.
    const isOver = now.hasTag('done') || now.status === 'done';
    if (isOver && (stored !== null || isSent(draft, values))) dropDraft(id);
    const isOpen = now.hasTag('form') && !hasTag(now, 'busy');
    const isEditable = !form?.fields.length || now.can({ type: 'form.change', field: '', value: '' });
    if (isOver || !isOpen || !isEditable) return;
    const isLost = isUnknown({ failure }) && (hasTag(now, 'failed') || isLeftUnknown(context));
    const unknown = isLost ? failure : null;
    const text = JSON.stringify({ choices: chosenIn(context), fields: draft.fields, unknown } satisfies Stored);
    if (stored !== null && stored !== text) sessionStore().setItem(slotOf(id), text);
    stored = text;
  };
  const watching = step.subscribe({ next: look, error: () => undefined });
  const now = step.getSnapshot() as AnyMachineSnapshot | undefined; // undefined before it is started
  if (now) look(now);
  return watching;
}
