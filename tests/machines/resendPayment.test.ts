import { expect, it } from 'vitest';
import { resendPaymentMachine } from '#machines/payment/resendPayment.machine.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';

it('a payment of unknown outcome is resent once, whatever the user presses, and again after a failure', async () => {
  const { send, refuse, answer, calls, actor } = live(resendPaymentMachine);
  let changes = 0;
  actor.on('facts.changed', () => (changes += 1));
  await send({ type: 'payment.resend', key: 'key-1' });
  await send({ type: 'payment.resend', key: 'key-2' });
  expect(calls.map(({ input }) => input)).toEqual([{ key: 'key-1' }]);
  await refuse('resend', failure);
  expect([actor.getSnapshot().context.failure, changes]).toEqual([failure, 1]);
  await send({ type: 'payment.resend', key: 'key-1' });
  await answer('resend');
  expect(actor.getSnapshot()).toMatchObject({ value: 'ready', context: { failure: null } });
  expect([calls.length, changes]).toEqual([2, 2]);
});
