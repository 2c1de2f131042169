import type { Problem } from '#contract/problem.ts';
import type { Values } from '#rules/field.ts';

/** What a user has chosen in a journey that was left; what is no longer offered is left out as it opens again. */
export interface Choices {
  providerId?: string;
  apiPath?: string;
  fileFormatId?: string;
  debtorId?: string;
  date?: string;
  ticked?: readonly string[];
}

/** Unsent choices and input, with which a journey opens again. */
export interface Draft {
  choices: Choices;
  /** What was entered, by field, in whichever form; only fields of the open form are restored. */
  fields: Values;
  /** Whether the form is filled with its examples as it opens. */
  fills: boolean;
  /** Why it is not known what became of the request with these fields; null if none was sent, or its outcome is known. */
  unknown: Problem | null;
}

export const noDraft: Draft = { choices: {}, fields: {}, fills: false, unknown: null };

/** The input of a journey with a form. */
export interface DraftInput {
  draft?: Draft;
}

/** The part of a context that holds a draft. */
export interface DraftState {
  draft: Draft;
  /** Whether the user has filled a form with its examples. */
  likesExamples: boolean;
}

/** The beginning of that part. */
export const drafted = ({ draft = noDraft }: DraftInput): DraftState => ({ draft, likesExamples: false });

/** Whether what is shown of the form's request was left by an earlier opening of the page, and nothing has changed since. */
export const isLeftUnknown = ({ failure = null, draft }: Partial<DraftState> & { failure?: Problem | null }): boolean =>
  failure !== null && draft?.unknown === failure;
