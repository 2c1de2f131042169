import type { Form, Values } from '#rules/field.ts';
import type { JourneyId } from '#machines/journeys.ts';

/**
 * What was typed into a journey's form and not sent yet, kept for this tab so that a reload loses nothing. It is kept
 * field by field; only fields that the open form has are given back.
 */
const slotOf = (id: JourneyId): string => `draft:${id}`;

const read = (id: JourneyId): Values => JSON.parse(sessionStorage.getItem(slotOf(id)) ?? '{}') as Values; // only keepDraft writes it

export const keepDraft = (id: JourneyId, field: string, value: string): void =>
  sessionStorage.setItem(slotOf(id), JSON.stringify({ ...read(id), [field]: value }));

export const dropDraft = (id: JourneyId): void => sessionStorage.removeItem(slotOf(id));

/** The kept values of this form's fields that differ from those it shows. */
export function draftOf(id: JourneyId, form: Form, shown: Values): { field: string; value: string }[] {
  const kept = read(id);
  return form.fields.flatMap(({ id: field }) => {
    const value = kept[field];
    return value === undefined || value === shown[field] ? [] : { field, value };
  });
}
