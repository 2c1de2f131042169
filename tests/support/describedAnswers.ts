import { afterAll, afterEach, expect } from 'vitest';
import type { z } from 'zod';
import { differencesIn, type Difference } from '#server/description/differences.ts';
import { describedAnswer, describedAt, operations, type Operation } from '#server/upstream/operations.ts';
import { answeredCalls, type Answered } from '#server/sandbox/records/answered.ts';

const told = (where: string, found: readonly Difference[]): string[] =>
  found.map(({ path, expected, came }) => `${where}: ${path.join('.')}: expected ${expected}, came ${came}`);

const compared = (where: string, schema: z.ZodType | undefined, body: string, isClosed: boolean): string[] =>
  schema ? told(where, differencesIn(schema, JSON.parse(body), { isClosed })) : [];

/** Returns in what a call and its answer differ from the description of the service. */
export function differencesOf({ method, path, status, request, type, body }: Answered): string[] {
  const name = describedAt(method, path);
  if (!name) return status < 400 ? [`${method} ${path} is not described`] : [];
  const where = `${name} ${status}`;
  const { body: sent }: Operation = operations[name];
  const described = describedAnswer(name, status);
  const { type: expected = '', schema } = described;
  // A browser that asks for a page gets one instead of a problem.
  if (status >= 400 && type === 'text/html') return [];
  return [
    ...(status < 400 && status !== described.success ? [`${where}: expected status ${described.success}`] : []),
    ...(type === expected ? [] : [`${where}: expected the type ${expected}, came ${type}`]),
    ...(/\bjson$/.test(type) ? compared(where, schema, body, true) : []),
    ...(status < 400 && request !== '' ? compared(`${where}, request`, sent?.schema, request, false) : []),
  ];
}

let differing: string[] = [];
const compare = (answered: unknown): void => void differing.push(...differencesOf(answered as Answered)); // as published
answeredCalls.subscribe(compare);
afterAll(() => void answeredCalls.unsubscribe(compare));

/** Returns what differed from the description, and forgets it. */
export function takeDiffering(): string[] {
  const found = differing;
  differing = [];
  return found;
}

afterEach(() => expect(takeDiffering()).toEqual([]));
