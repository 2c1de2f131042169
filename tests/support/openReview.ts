import type { Deferred } from './deferredPorts.ts';

/** Answers the port `prepare` of a payment, and waits until its review lets it be paid. */
export async function openReview(
  { answer, pass }: Pick<Deferred, 'answer' | 'pass'>,
  given: object = {},
): Promise<void> {
  await answer('prepare', { key: 'key-1', covered: [], ...given });
  await pass(500);
}
