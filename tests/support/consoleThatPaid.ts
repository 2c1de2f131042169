import type { Payment } from '#contract/payment.ts';
import { batch, consoleWith, payment } from './consoleWithPayments.ts';
import { answering, type Script } from './fakeUpstream.ts';

/** The id of the first batch that the service creates. */
export const batchId = 'batch-of-the-service';

/** Creates a batch with each request. */
function creating(): Script {
  let later = 0;
  return (...exchange) => {
    const id = later === 0 ? batchId : `${batchId}-${later}`;
    later += 1;
    return answering({ data: { batchId: id, status: 'Received' } }, 201)(...exchange);
  };
}

/** A service that creates batches by POST, and answers each GET with what is current then. */
export function serviceThat(creates: Script = creating()) {
  const now: { script: Script } = { script: answering({ title: 'Gone', status: 404, code: 'No' }, 404) };
  const script: Script = (response, asked) =>
    asked.method === 'POST' ? creates(response, asked) : now.script(response, asked);
  return { script, says: (data: object) => void (now.script = answering({ data: { batchId, ...data } })), now };
}

export const paymentOf = (reference: string, amount: string, more: Partial<Payment> = {}): Payment => ({
  ...payment!,
  instructedAmount: { amount, currency: 'GBP' },
  remittanceInformation: { reference },
  ...more,
});

/** A console that has paid these payments in one batch. */
export async function consoleThatPaid(payments: readonly Payment[] = batch.payments) {
  const { script, says, now } = serviceThat();
  const opened = await consoleWith(script);
  await opened.server.done('createBatch', { body: { ...batch, payments: [...payments] } });
  const read = () => opened.server.done('getBatch', { params: { batchId } });
  /** Which payments can be made again without confirmation. */
  const freed = async () => {
    const { covered } = (
      await opened.server.done('preparePayment', {
        body: { ...batch, externalId: undefined, payments: [...payments] } as never, // as the page sends it
      })
    ).data;
    const blocked = new Set(covered.map(({ index }) => index));
    return payments.flatMap(({ remittanceInformation }, index) =>
      blocked.has(index) ? [] : [remittanceInformation?.reference],
    );
  };
  return { ...opened, says, now, read, freed };
}
