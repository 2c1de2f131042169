import fc from 'fast-check';
import { expect, it } from 'vitest';
import { failuresIn } from '#server/payments/failures.ts';
import { identificationOf } from '#server/payments/listedPayments.ts';
import { runsOf } from '#tests/support/runCounts.ts';

const runs = runsOf(500);

/** A payment as it was sent, what became of it, and what of it the service lists. */
const payment = fc.record({
  reference: fc.constantFrom('', 'A', 'B', 'C'),
  amount: fc.constantFrom('1.00', '2.00'),
  name: fc.constantFrom('Paper', 'Ink'),
  account: fc.constantFrom('', '1', '2'),
  status: fc.constantFrom('Completed', 'Failed', 'REJECTED', 'Processing'),
  lists: fc.record({ reference: fc.boolean(), amount: fc.boolean(), name: fc.boolean(), account: fc.boolean() }),
  isListed: fc.boolean(),
});
type Made = typeof payment extends fc.Arbitrary<infer Value> ? Value : never;

const sentOf = ({ reference, amount, name, account }: Made) => ({
  remittanceInformation: { reference },
  instructedAmount: { amount, currency: 'GBP' },
  creditor: { name },
  creditorAccount: { identification: account },
});

/** The payment as listed: some of its members, in another form. */
const listedOf = ({ reference, amount, name, account, status, lists }: Made) => ({
  status,
  ...(lists.reference && { remittanceInformation: { reference: ` ${reference.toLowerCase()}` } }),
  ...(lists.amount && { instructedAmount: { amount: `0${amount}0`, currency: 'gbp' } }),
  ...(lists.name && { creditor: { name: name.toUpperCase() } }),
  ...(lists.account && { creditorAccount: { identification: account } }),
});

const statuses = fc.constantFrom('Completed', 'PartiallyCompleted', 'Failed', 'Cancelled');
const batch = (made: fc.Arbitrary<Made>) =>
  fc
    .array(made, { minLength: 1, maxLength: 6 })
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }), statuses));

function decide(all: readonly Made[], listed: readonly Made[], status: string) {
  const data = { status, payments: listed.filter(({ isListed }) => isListed).map(listedOf) };
  return failuresIn(data, {
    ...{ skipped: [], text: JSON.stringify({ data }) },
    sent: all.map((each, index) => ({
      reference: `payment ${index}`,
      identities: [String(index)],
      identification: identificationOf(sentOf(each)),
    })),
  });
}

const hasFailed = ({ status }: Made) => status === 'Failed' || status === 'REJECTED';

it('An invoice is never freed unless its payment failed, whatever the service lists of which payments in which order (behaviour 4.46; threat 3.27)', async () => {
  await fc.assert(
    fc.asyncProperty(batch(payment), async ([all, listed, status]) => {
      fc.pre(listed.some(({ isListed }) => isListed));
      const { failed, staysPaid } = await decide(all, listed, status);
      expect(failed).not.toBe('all');
      for (const index of failed) expect(hasFailed(all[Number(index)]!)).toBe(true);
      const told = staysPaid.flatMap(({ invoices }) => invoices);
      expect(new Set([...told, ...failed]).size).toBe(told.length + failed.length);
    }),
    { numRuns: runs },
  );
});

it('Every invoice whose payment failed is freed if the service lists all of each payment', async () => {
  const whole = payment.map((made) => ({
    ...made,
    isListed: true,
    lists: { reference: true, amount: true, name: true, account: true },
  }));
  await fc.assert(
    fc.asyncProperty(batch(whole), async ([all, listed, status]) => {
      const isAlone = (made: Made) =>
        all.filter((other) => JSON.stringify(sentOf(other)) === JSON.stringify(sentOf(made))).length === 1;
      // A payment without reference or account fits those with one.
      fc.pre(all.every((made) => made.reference !== '' && made.account !== '' && isAlone(made)));
      const { failed } = await decide(all, listed, status);
      expect(failed).toEqual(all.flatMap((made, index) => (hasFailed(made) ? [String(index)] : [])));
    }),
    { numRuns: runs },
  );
});
