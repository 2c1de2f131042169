import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { decodeText } from '#rules/decodeText.ts';
import { outcomes, type Outcome } from '#server/programs/checks/evidence.ts';

const shape = z.object({
  invoices: z.array(z.object({ id: z.string(), outcome: z.enum(outcomes) })),
});

const expected = 'expected { "invoices": [{ "id": "…", "outcome": "paid" | "returned" | "failed" | "unknown" }] }';

/** Parses a result file; returns a sentence that says what is wrong with it if it is not as documented. */
export function parseResult(text: string): Record<string, Outcome> | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `The result file is not JSON (${(error as Error).message}): ${expected}`; // JSON.parse throws errors
  }
  const { data, error } = shape.safeParse(value);
  if (data) return Object.fromEntries(data.invoices.map(({ id, outcome }) => [id, outcome]));
  const place = error.issues[0]?.path.join('.') ?? '';
  return `The result file is wrong${place === '' ? '' : ` at ${place}`}: ${expected}`;
}

/** Reads a result file; undefined if there is none. */
export async function readResult(path: string): Promise<Record<string, Outcome> | string | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  try {
    return parseResult(decodeText(bytes, 'The result file'));
  } catch (error) {
    return (error as Error).message; // of decodeText
  }
}
