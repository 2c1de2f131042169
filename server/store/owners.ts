import type { Seal } from './seal.ts';

/** Kinds whose records belong to a subscription, their owner. */
export const ownedKinds: readonly string[] = ['debtors', 'creditors'];

/** Returns the tag of the owner of a record of such a kind. */
export function ownerTag(value: unknown, seal: Pick<Seal, 'tag'>): string {
  const { subscriptionId } = (value ?? {}) as { subscriptionId?: unknown }; // not null or undefined
  return seal.tag(typeof subscriptionId === 'string' ? subscriptionId : '');
}
