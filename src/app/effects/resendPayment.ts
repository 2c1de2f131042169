import { provideEffects } from '#machines/lib/effect.ts';
import { resendPaymentMachine } from '#machines/payment/resendPayment.machine.ts';
import { call } from '../api/client.ts';
import { failureOfRepeat } from '../api/withIdempotencyKey.ts';

export const resendPayment = provideEffects(resendPaymentMachine, {
  /** Sends the batch of an attempt once more, exactly as it was sent first and under the same idempotency key. */
  async resend({ key }, signal) {
    const { data } = await call('getPaymentAttempt', { params: { key }, signal });
    await call('createBatch', { body: data, key, query: {}, signal }).catch((error: unknown) => {
      throw failureOfRepeat(error);
    });
  },
});
