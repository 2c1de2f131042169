import { describe, expect, it } from 'vitest';
import type { BatchRequest, Payment } from '#contract/payment.ts';
import { addressNotes } from '#rules/batchNotes.ts';
import { instrumentOf } from '#rules/merge.ts';

const paid = (name: string, currency: string, postalAddress?: Payment['creditor']['postalAddress']): Payment => ({
  instructedAmount: { amount: '1.00', currency },
  creditor: { name, ...(postalAddress && { postalAddress }) },
});
const line = { addressLine1: '1, rue du Verger', countryCode: 'FR' };
const from = (identification: string, ...payments: Payment[]): Pick<BatchRequest, 'payments' | 'debtorAccount'> => ({
  debtorAccount: { identification },
  payments,
});

describe('What is said of the addresses of a batch', () => {
  it.each([
    ['a payment in euro', from('1', paid('A', 'EUR', line)), 'FR', ['SEPA']],
    ['a payment abroad', from('1', paid('A', 'USD', line)), 'GB', ['CBPR+']],
    ['one of each', from('1', paid('A', 'EUR', line), paid('B', 'USD', line)), 'GB', ['SEPA', 'CBPR+']],
    ['an account abroad by its IBAN', from('DE89370400440532013000', paid('A', 'CHF', line)), 'FR', ['CBPR+']],
    ['an account at home by its IBAN', from('FR7630006000011234567890189', paid('A', 'USD', line)), 'GB', []],
    ['a payment at home', from('1', paid('A', 'GBP', { ...line, countryCode: 'GB' })), 'GB', []],
    ['an address without a country', from('1', paid('A', 'GBP', { addressLine1: '1 Lane' })), 'GB', []],
    ['a payer in an unknown country', from('1', paid('A', 'GBP', line)), '', []],
    ['no address', from('1', paid('A', 'EUR')), 'FR', []],
    ['empty lines', from('1', paid('A', 'EUR', { addressLine1: ' ' })), 'FR', []],
    ['a town of its own', from('1', paid('A', 'EUR', { ...line, townName: 'Lyon' })), 'FR', []],
    ['an empty town', from('1', paid('A', 'EUR', { ...line, townName: ' ' })), 'FR', ['SEPA']],
  ])('of %s (behaviour 9.17)', (_, batch, country, named) =>
    expect(addressNotes(batch, country).map((note) => /\(([^)]*)\)/.exec(note)?.[1])).toEqual(named),
  );

  it('names each creditor once, at most three', () => {
    const names = ['A', 'B', 'A', 'C', 'D', 'E'];
    expect(addressNotes(from('1', ...names.map((name) => paid(name, 'EUR', line))), 'FR')).toEqual([
      'The address of A, B, C and 2 more names no town apart from its lines. From 15 November 2026 on, a bank may refuse such an address in a payment in euro (SEPA).',
    ]);
  });
});

describe('The local instrument by which a provider pays', () => {
  const provider = { providerId: 'p', name: 'P', country: [], accountType: { validationRules: [] } };
  const instruments = [{ localInstrumentId: 'bacs', name: 'Bacs Direct Credit' }];
  it.each([
    [{ defaultLocalInstrument: 'bacs', localInstruments: ['faster', 'bacs'] }, 'Bacs Direct Credit'],
    [{ localInstruments: ['bacs'] }, 'Bacs Direct Credit'],
    [{ localInstruments: ['bacs', 'faster'] }, ''],
    [{ defaultLocalInstrument: 'BACS' }, 'BACS'],
    [{}, ''],
  ])('of %j is "%s"', (members, name) => expect(instrumentOf({ ...provider, ...members }, instruments)).toBe(name));
  it('is not known without a provider', () => expect(instrumentOf(undefined, instruments)).toBe(''));
});
