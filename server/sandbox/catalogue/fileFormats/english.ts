import { executionDatePattern } from '#contract/executionDate.ts';
import type { Wording } from '../definition.ts';
import { englishText } from '../wording/country.ts';

/** The name of the file's sender; `most` is the column's width in characters. */
export const userName = (most: number): Wording => englishText('Name of the user', 'Applewick Trading', most);

export const executionDate: Wording = {
  uiLabel: 'Execution date',
  description: 'The day on which the payments are to be made',
  example: '2026-01-31T00:00:00Z',
  regex: executionDatePattern,
  errorMessage: 'Execution date: enter a date and time in UTC such as 2026-01-31T00:00:00Z',
};

/** A number with this many digits, assigned by the bank or counted by the user. */
export const digits = (uiLabel: string, description: string, example: string): Wording => ({
  uiLabel,
  description,
  example,
  regex: String.raw`^\d{${example.length}}$`,
  errorMessage: `${uiLabel}: enter ${example.length} digits, such as ${example}`,
});
