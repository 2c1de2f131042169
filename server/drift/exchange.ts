import type { OperationName } from '#server/description/operations.ts';

/** What a service answered to a call, or a webhook that it sent. */
export type Exchange = {
  /** When it happened, as an ISO time; '' if unknown. */
  at: string;
  /** The id of its entry in the timeline, if it has one. */
  entry?: string;
} & (
  | { kind: 'answer'; method: string; path: string; status: number; type: string; body: string }
  | { kind: 'webhook'; body: string }
  /** An answer of which only a part was recorded; '' for a webhook. */
  | { kind: 'cut'; call: OperationName | '' }
);

/** What is read of a source, and what of it cannot be compared, in sentences. */
export interface Source {
  exchanges: readonly Exchange[];
  left: readonly string[];
}

/** Wrong use of the command, or a source that cannot be read; the message says what is expected. */
export class UseError extends Error {
  override name = 'UseError';
}
