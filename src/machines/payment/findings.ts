import type { Batch, BatchError } from '#contract/batch.ts';
import { counted } from '#rules/counted.ts';
import type { FilePreview } from '#rules/paymentFile/preview.ts';

/** A batch with errors, to be corrected and paid again; `references` are those of its payments, in the order sent. */
export interface Corrected {
  batch: Batch;
  errors: BatchError[];
  references: string[];
}

/** A value of the reviewed batch that breaks a rule. */
export interface BrokenValue {
  label: string;
  /** The rule's message. */
  message: string;
  /** The reference of the payment that has the value; '' for a value of the batch. */
  reference: string;
}

/** What the review finds in the batch before it is sent. */
export interface Findings {
  /** The lines of the bank file; null for an electronic payment. */
  preview: FilePreview | null;
  broken: readonly BrokenValue[];
}

/** Maximum number of values that a sentence names. */
const mostNamed = 3;

/** Why a batch with these values cannot be sent, as a sentence; '' if there are none. */
export function brokenText(broken: readonly BrokenValue[]): string {
  if (broken.length === 0) return '';
  const names = [...new Set(broken.map(({ label, reference }) => label + (reference && ` of ${reference}`)))];
  const more = names.length - mostNamed;
  const named = names.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${counted(broken.length, 'value breaks its rule', 'values break their rules')}: ${named}. Go back and correct ${broken.length === 1 ? 'it' : 'them'}`;
}
