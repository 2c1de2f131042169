import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '#server/calls/fingerprint.ts';
import type { LineFacts } from '#server/storage/schema.ts';
import type { Payment } from '#contract/payment.ts';
import { createLineIndex, isHalfNamed, lineOf, sameInvoice, taggedLine } from '#server/writes/sameInvoice.ts';
import { runsOf } from '#tests/support/runCounts.ts';

/** The same few values in several spellings, so that many pairs agree in some facts and differ in others. */
const payments: fc.Arbitrary<Payment> = fc.record(
  {
    instructedAmount: fc.record({
      amount: fc.constantFrom('1.00', '1.0', '2.00'),
      currency: fc.constantFrom('GBP', 'EUR'),
    }),
    creditor: fc.record(
      { name: fc.constantFrom('Paper', ' PAPER', 'Orchard'), creditorId: fc.constantFrom('c-1', ' C-1', 'c-2') },
      { requiredKeys: ['name'] },
    ),
    creditorAccount: fc.record(
      {
        identification: fc.constantFrom('1234 5678', '12345678', '87654321', 'GB33BUKB20201555555555'),
        secondaryIdentification: fc.constantFrom('20-00-00', '300000'),
      },
      { requiredKeys: ['identification'] },
    ),
    remittanceInformation: fc.record(
      { reference: fc.constantFrom('INV-1', 'inv‐1', 'INV-2'), unstructured: fc.constantFrom('INV-1', 'May', 'June') },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['instructedAmount', 'creditor'] },
);

const known = [
  { creditorId: 'c-1', identification: '12345678' },
  { creditorId: 'c-2', identification: 'GB33BUKB20201555555555' },
];
const lines = fc.tuple(payments, fc.boolean()).map(([payment, isKnown]) => lineOf(payment, isKnown ? known : []));

describe('Whether two payments may pay one invoice', () => {
  it('is the same in both directions, and true of a payment and itself', () => {
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        expect(sameInvoice(one, other)).toBe(sameInvoice(other, one));
        expect(sameInvoice(one, one)).toBe(true);
      }),
      { numRuns: runsOf(3000) },
    );
  });

  it('is the same of their tags, which hide what they are', () => {
    const tagged = (line: LineFacts) => taggedLine(line, (value) => fingerprintOf('tag', value));
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        expect(sameInvoice(tagged(one), tagged(other))).toBe(sameInvoice(one, other));
      }),
      { numRuns: runsOf(500) },
    );
  });

  it('is found among many lines as by comparing each with each', () => {
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 20 }), lines, (all, line) => {
        const entries = all.map((each, place) => ({ ...each, place }));
        const found = createLineIndex(entries)
          .like(line)
          .map(({ place }) => place)
          .sort((a, b) => a - b);
        expect(found).toEqual(entries.flatMap((each) => (sameInvoice(line, each) ? [each.place] : [])));
      }),
      { numRuns: runsOf(500) },
    );
  });

  const payment = (change: object): Payment => ({
    instructedAmount: { amount: '1.00', currency: 'GBP' },
    creditor: { name: 'Paper', creditorId: 'c-1' },
    creditorAccount: { identification: '12345678' },
    remittanceInformation: { reference: 'INV-1' },
    ...change,
  });
  const named = { creditor: { name: 'Paper' }, creditorAccount: undefined };
  const iban = { creditorAccount: { identification: 'GB33BUKB20201555555555' } };
  const second = (secondaryIdentification: string) => ({
    creditorAccount: { identification: '12345678', secondaryIdentification },
  });

  it.each<[string, boolean, object, object]>([
    ['another amount', true, {}, { instructedAmount: { amount: '2.00', currency: 'GBP' } }],
    ['another reference', false, {}, { remittanceInformation: { reference: 'INV-2' } }],
    ['the account of another creditor', true, {}, { creditor: { name: 'Paper', creditorId: 'c-2' } }],
    ['another account of the creditor', true, {}, { creditorAccount: { identification: '87654321' } }],
    [
      'another creditor and account, although the names agree',
      false,
      {},
      { creditor: { name: 'Paper', creditorId: 'c-2' }, creditorAccount: { identification: '87654321' } },
    ],
    ['the name alone', true, {}, named],
    ['another name alone', false, {}, { ...named, creditor: { name: 'Orchard' } }],
    [
      'an IBAN instead of a national number',
      true,
      { creditor: { name: 'Paper' } },
      { creditor: { name: 'Paper' }, ...iban },
    ],
    ['an IBAN of another creditor', false, {}, { creditor: { name: 'Paper', creditorId: 'c-2' }, ...iban }],
    ['its reference in the text', true, {}, { remittanceInformation: { unstructured: 'inv-1' } }],
    [
      'its reference in the text and another sum',
      true,
      {},
      { remittanceInformation: { unstructured: 'inv-1' }, instructedAmount: { amount: '2.00', currency: 'GBP' } },
    ],
    ['no reference and the same sum', true, {}, { remittanceInformation: {} }],
    [
      'no reference and another sum',
      false,
      {},
      { remittanceInformation: {}, instructedAmount: { amount: '2.00', currency: 'GBP' } },
    ],
    [
      'no reference, another text and the same sum',
      false,
      { remittanceInformation: { unstructured: 'May' } },
      { remittanceInformation: { unstructured: 'June' } },
    ],
    [
      'another second number of the account, and another name',
      true,
      { creditor: { name: 'Paper' }, ...second('20-00-00') },
      { creditor: { name: 'Orchard' }, ...second('30-00-00') },
    ],
    [
      'another IBAN',
      false,
      { creditor: { name: 'Paper' }, ...iban },
      { creditor: { name: 'Paper' }, creditorAccount: { identification: 'DE89370400440532013000' } },
    ],
    ['its IBAN and another name', true, { creditor: { name: 'Paper' }, ...iban }, { creditor: { name: 'O' }, ...iban }],
    ['nobody named', true, {}, { ...named, creditor: { name: '' } }],
  ])('with %s is %s (threat 3.18)', (_, isSame, one, other) => {
    const [some, others] = [lineOf(payment(one)), lineOf(payment(other))];
    expect([sameInvoice(some, others), sameInvoice(others, some)]).toEqual([isSame, isSame]);
  });

  const id = 'A1b2C3d4-0000-4000-8000-000000000001';
  const bank = 'GB29 NWBK 6016 1331 9268 19';
  const stored = [{ creditorId: id, identification: bank }];
  const toId = (creditorId: string, name = 'Paper & Sons') =>
    payment({ creditor: { name, creditorId }, creditorAccount: undefined });
  const toAccount = (identification: string, name = 'P. and S.', more: object = {}, creditorId?: string) =>
    payment({ creditor: { name, ...(creditorId && { creditorId }) }, creditorAccount: { identification, ...more } });
  const toReference = (reference: string) => payment({ remittanceInformation: { reference } });

  it.each<[string, boolean, Payment, Payment]>([
    ['the id of a stored creditor and its account', true, toId(id), toAccount(bank)],
    [
      'the id in capitals and the account without blanks',
      true,
      toId(id.toUpperCase()),
      toAccount(bank.replaceAll(' ', '')),
    ],
    [
      'the id between blanks and the account in small letters',
      true,
      toId(` ${id.toLowerCase()} `),
      toAccount(bank.toLowerCase()),
    ],
    ['the id and the account with dashes', true, toId(id), toAccount(bank.replaceAll(' ', '-'))],
    ['the id and the account in full width', true, toId(id), toAccount('ＧＢ２９ＮＷＢＫ６０１６１３３１９２６８１９')],
    [
      'the id and the account with a second number',
      true,
      toId(id),
      toAccount(bank, 'P.', { secondaryIdentification: '601613' }),
    ],
    ['the id under another name and the account under a third', true, toId(id, 'x'), toAccount(bank, 'y')],
    [
      'an id that is not stored and an account of the same name',
      true,
      toId('unknown'),
      toAccount('1', ' PAPER & SONS '),
    ],
    ['an id that is not stored and an account of another name', false, toId('unknown'), toAccount('1')],
    ['an IBAN and a national number', true, toAccount(bank), toAccount('31926819')],
    ['an IBAN and a sort code with a number', true, toAccount(bank.toLowerCase()), toAccount('60-16-13 31926819')],
    [
      'an IBAN and a number with a second one',
      true,
      toAccount(bank),
      toAccount('31926819', 'p. and s.', { secondaryIdentification: '7' }),
    ],
    [
      'an IBAN of another country and its number',
      true,
      toAccount('DE89 3704 0044 0532 0130 00'),
      toAccount('0532013000'),
    ],
    ['an IBAN with an id and a number without', true, toAccount(bank, undefined, {}, 'unknown'), toAccount('31926819')],
    ['the id of a stored creditor and a number', true, toId(id), toAccount('31926819', 'Paper & Sons')],
    ['an IBAN and a number of another name', false, toAccount(bank), toAccount('31926819', 'Somebody else')],
    ['two IBANs', false, toAccount(bank), toAccount('DE89 3704 0044 0532 0130 00')],
    ['two national numbers', false, toAccount('31926819'), toAccount('55779911')],
    [
      'two ids beside an IBAN and a number',
      false,
      toAccount(bank, 'n', {}, 'one'),
      toAccount('31926819', 'n', {}, 'other'),
    ],
    ['a number in full width', true, toAccount('12345678'), toAccount('１２３４－５６７８')],
    ['a reference in other letters', true, toReference('invoice-1'), toReference(' INVOICE-1 ')],
    ['a reference in other spacing', true, toReference('invoice-1'), toReference('invoice\u200b -\u00a01')],
    ['a reference with another dash', true, toReference('invoice-1'), toReference('invoice\u2212\u00ad1')],
    ['a reference in full width', true, toReference('invoice-1'), toReference('ＩＮＶＯＩＣＥ－１\ufe0f')],
    [
      'a reference and a text',
      true,
      toReference('invoice-1'),
      payment({ remittanceInformation: { unstructured: 'Invoice\u20111' } }),
    ],
  ])('by %s is %s in both directions (threat 3.18)', (_, isSame, one, other) => {
    const [some, others] = [lineOf(one, stored), lineOf(other, stored)];
    expect([sameInvoice(some, others), sameInvoice(others, some)]).toEqual([isSame, isSame]);
  });

  it('is told by a creditor’s account if one payment gives the id and the other the account (threat 3.18)', () => {
    const byId = payment({ creditor: { name: 'Paper', creditorId: 'c-1' }, creditorAccount: undefined });
    const byAccount = payment({ creditor: { name: 'Otherwise' } });
    expect(sameInvoice(lineOf(byId), lineOf(byAccount))).toBe(false);
    expect(sameInvoice(lineOf(byId, known), lineOf(byAccount))).toBe(true);
    expect(sameInvoice(lineOf(byId), lineOf(byAccount, known))).toBe(true);
  });

  it('is not told by what another creditor is known by (threat 3.18)', () => {
    const byId = payment({ creditor: { name: 'Paper', creditorId: 'c-1' }, creditorAccount: undefined });
    const byAccount = payment({ creditor: { name: 'Otherwise' }, ...iban }); // of c-2
    expect(sameInvoice(lineOf(byId, known), lineOf(byAccount))).toBe(false);
    expect(sameInvoice(lineOf(byId), lineOf(byAccount, known))).toBe(false);
  });

  it('is told by the name of who is named by neither id nor account, whatever creditors are stored (threat 3.18)', () => {
    const stored = [
      { creditorId: 'c-1', identification: '' },
      { creditorId: '', identification: '12345678' },
    ];
    expect(lineOf(payment(named), stored)).toMatchObject({ payee_ids: '', ibans: '', numbers: '', name: 'paper' });
  });

  it('is told by no sum that neither states', () => {
    const line = { ...lineOf(payment(named)), reference: '', sum: '' };
    expect(sameInvoice(line, line)).toBe(false);
  });

  it('is told by each account and each id of a creditor that is known twice (threat 3.18)', () => {
    const twice = [
      ...known,
      { creditorId: 'c-1', identification: '99999999' },
      { creditorId: 'c-3', identification: '99999999' },
    ];
    const byId = (creditorId: string) =>
      lineOf(payment({ creditor: { name: 'Paper', creditorId }, creditorAccount: undefined }), twice);
    const byAccount = (identification: string, known = twice) =>
      lineOf(payment({ creditor: { name: 'Otherwise' }, creditorAccount: { identification } }), known);
    for (const account of ['12345678', '99999999']) expect(sameInvoice(byId('c-1'), byAccount(account, []))).toBe(true);
    for (const id of ['c-1', 'c-3'])
      expect(
        sameInvoice(
          lineOf(payment({ creditor: { name: 'Paper', creditorId: id }, creditorAccount: undefined })),
          byAccount('99999999'),
        ),
      ).toBe(true);
    expect(sameInvoice(byId('c-3'), byAccount('12345678'))).toBe(false);
  });

  it.each<[boolean, object]>([
    [false, {}],
    [true, { creditorAccount: undefined }],
    [true, { creditor: { name: 'Paper' } }],
    [false, { creditor: { name: 'Paper' }, creditorAccount: undefined }],
  ])('needs the stored creditors if it is named by id or account alone: %s for %j', (isHalf, change) => {
    expect(isHalfNamed(payment(change))).toBe(isHalf);
  });
});
