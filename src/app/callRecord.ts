import { useSyncExternalStore } from 'react';
import { stringify } from '#contract/json.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { masked } from './mask.ts';

/** One call that this page made; secrets in request and response are masked. */
export interface RecordedCall {
  id: number;
  method: string;
  /** Path and query. */
  path: string;
  /** HTTP status, 0 when no answer came. */
  status: number;
  /** Milliseconds. */
  duration: number;
  idempotencyKey?: string | undefined;
  request: unknown;
  response: unknown;
}

const longest = 100;
const listeners = new Set<() => void>();
let recorded: readonly RecordedCall[] = [];
let made = 0;

/** Adds a call, newest first; only the last hundred are kept. */
export function record(entry: Omit<RecordedCall, 'id'>): void {
  const safe = { ...entry, id: (made += 1), request: masked(entry.request), response: masked(entry.response) };
  recorded = [safe, ...recorded].slice(0, longest);
  for (const changed of listeners) changed();
}

/** The id of the newest call, 0 before the first. */
export const lastCall = (): number => made;

const subscribe = (changed: () => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};

/** The calls that this page made, newest first. */
export const useCallRecord = (): readonly RecordedCall[] => useSyncExternalStore(subscribe, () => recorded);

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The call as a cURL command; what was masked becomes $TOKEN (behaviour, section 10.8). */
export function curlOf({ method, path, idempotencyKey, request }: RecordedCall, origin: string): string {
  const lines = [`curl -X ${method} ${quoted(origin + path)}`];
  if (idempotencyKey) lines.push(`-H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`);
  if (request !== undefined) {
    lines.push(`-H ${quoted('Content-Type: application/json')}`);
    lines.push(`-d ${quoted(stringify(request)).replaceAll(secretIsSet, `'"$TOKEN"'`)}`);
  }
  return lines.join(' \\\n  ');
}
