import { expect, it } from 'vitest';
import { resendPaymentMachine } from '#machines/payment/resendPayment.machine.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { flawsOf } from '#tests/support/pathsFaults.ts';
import { unsaid } from '#tests/support/pathsRules.ts';
import { afterFailures, restingStates, tagsOf, unknownTags } from '#tests/support/stateRules.ts';

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

it('a payment of unknown outcome begins with none that is resent, and says whether it is being resent or was not', () => {
  expect(resendPaymentMachine.id).toBe('resendPayment');
  expect(live(resendPaymentMachine).actor.getSnapshot().context).toEqual({ key: '', failure: null });
  expect([...unsaid(resendPaymentMachine), ...flawsOf(resendPaymentMachine), ...unknownTags(resendPaymentMachine)]).toEqual([]); // prettier-ignore
  expect(restingStates(resendPaymentMachine).map((node) => [node.key, tagsOf(node)])).toEqual([
    ['ready', []],
    ['resending', ['busy']],
    ['unsent', ['failed']],
  ]);
  expect(afterFailures(resendPaymentMachine).map(({ key }) => key)).toEqual(['unsent']);
});
