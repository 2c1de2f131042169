import { isObject, jsonIn } from '#contract/json.ts';
import { escapeId } from '#server/escapeId.ts';
import type { Created } from '#server/storage/receivedIds.ts';
import { operationOf, type Operation } from '#server/upstream/operation.ts';
import { unwrapped } from '#server/upstream/replies.ts';

/** What each call creates, and the member of its answer that names it. */
const members: Partial<Record<Operation, readonly [kind: Created, member: string]>> = {
  createBatch: ['batch', 'batchId'],
  createSubscription: ['subscription', 'subscriptionId'],
  createOrganisation: ['organisation', 'organisationId'],
  createCompany: ['company', 'companyId'],
  createAccount: ['account', 'id'],
  createDataset: ['dataset', 'id'],
};

/** Longer texts are no ids. */
const longest = 200;

/**
 * Returns the kind and id of what a program's call has created at the service; undefined for any other call, and for an
 * answer that names none.
 */
export function createdId(
  { method, path, status }: { method: string; path: string; status: number },
  answer: () => string,
): { kind: Created; id: string } | undefined {
  const [kind, member] = members[operationOf(method, path)] ?? [];
  if (method !== 'POST' || kind === undefined || member === undefined || status < 200 || status > 299) return undefined;
  const body = unwrapped(jsonIn(answer()));
  const id = isObject(body) ? body[member] : undefined;
  return typeof id === 'string' && id.trim() !== '' && escapeId(id).length <= longest ? { kind, id } : undefined;
}
