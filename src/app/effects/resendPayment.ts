import { call } from '../client/client.ts';
import { failureOfRepeat } from '../client/withIdempotencyKey.ts';
import { resource } from './resource.ts';

/**
 * The payments whose outcome is unknown; each can be resent under its own idempotency key, so that it is paid once, one
 * at a time.
 */
export const resendPayment = resource({
  kind: { changesFacts: () => true },
  /** Sends the batch of an attempt once more, exactly as it was sent first and under the same idempotency key. */
  async act({ key }: { act: 'resend'; key: string }, signal) {
    const { data } = await call('getPaymentAttempt', { params: { key }, signal });
    await call('createBatch', { body: data, key, query: {}, signal }).catch((error: unknown) => {
      throw failureOfRepeat(error);
    });
    return null;
  },
});
