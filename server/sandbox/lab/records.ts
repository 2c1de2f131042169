import type { KeptRule } from '#contract/labShapes.ts';
import type { Collections } from '../store/tenantStore.ts';

/** The sandbox's time in relation to the machine's; in ms. */
export interface ClockShift {
  /** The sandbox's time minus the machine's. */
  offset: number;
  /** The sandbox's times at which its clock was stopped; absent while it runs. */
  still?: { now: number; steady: number };
}

/** The rules of the fault lab. */
export const faultRuleRecords = (store: Collections) => store.collection<KeptRule>('fault');

/** The shift of the sandbox's clock; a single record. */
export const clockRecords = (store: Collections) => store.collection<ClockShift>('clock');

/** The path and idempotency key of each call that has met the fault of a magic amount. */
export const magicCallRecords = (store: Collections) => store.collection<true>('magic');
