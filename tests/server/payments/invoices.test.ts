import { expect, describe, it } from 'vitest';
import type { Store } from '#server/companies/companyStore.ts';
import { currencyFor, payeesOf, sampleInvoices } from '#server/payments/invoices.ts';
import { paymentFileName } from '#server/payments/paymentFileName.ts';

const [paper, rent] = ['paper', 'rent'].map((creditorId, each) => ({
  creditorId,
  creditorname: `${creditorId} Ltd`,
  identification: `1000000${each}`,
  mark: `MARK${each}`,
})) as [Payee, Payee];

type Payee = Parameters<typeof sampleInvoices>[0] extends AsyncIterable<infer Each> ? Each : never;

/** The first invoices for these payees, and how many payees were read for them. */
async function first(count: number, payees: readonly Payee[], currency = 'GBP') {
  let read = 0;
  async function* each(): AsyncGenerator<Payee> {
    for (const payee of payees) {
      read += 1;
      yield await Promise.resolve(payee);
    }
  }
  const found = [];
  for await (const one of sampleInvoices(each(), currency)) {
    found.push(one);
    if (found.length === count) break;
  }
  return { found, read };
}

describe('Sample invoices', () => {
  it('go round the payees without end, each with its own id, goods and amount (wire 20.1)', async () => {
    const { found } = await first(20, [paper, rent]);
    expect(found.slice(0, 3).map(({ invoice }) => invoice)).toEqual([
      {
        invoiceId: 'INV-00001-MARK0',
        creditor: 'paper',
        creditorName: 'paper Ltd',
        description: 'Stationery 00001',
        amount: '10.00',
        currency: 'GBP',
      },
      {
        invoiceId: 'INV-00001-MARK1',
        creditor: 'rent',
        creditorName: 'rent Ltd',
        description: 'Stationery 00001',
        amount: '10.00',
        currency: 'GBP',
      },
      {
        invoiceId: 'INV-00002-MARK0',
        creditor: 'paper',
        creditorName: 'paper Ltd',
        description: 'Cleaning 00002',
        amount: '89.19',
        currency: 'GBP',
      },
    ]);
    expect(
      found.filter(({ invoice }) => invoice.creditor === 'rent').map(({ invoice }) => invoice.description),
    ).toEqual(
      [
        'Stationery',
        'Cleaning',
        'Office rent',
        'Software licences',
        'Freight',
        'Catering',
        'Repairs',
        'Electricity',
        'Stationery',
        'Cleaning',
      ].map((goods, index) => `${goods} ${String(index + 1).padStart(5, '0')}`),
    );
  });

  it('cost from 10.00 to 1,009.99, each amount once before one returns', async () => {
    const { found } = await first(2000, [paper]);
    const amounts = found.map(({ invoice }) => Number(invoice.amount));
    expect([Math.min(...amounts) >= 10, Math.max(...amounts) <= 1009.99, Math.max(...amounts) > 1000]).toEqual([
      true,
      true,
      true,
    ]);
    expect(new Set(amounts).size).toBe(2000);
  });

  it('are known again by their id alone, to a payee who is known by id, account and name', async () => {
    const { found } = await first(1, [paper]);
    expect(found[0]?.line).toEqual({
      reference: 'inv-00001-mark0',
      note: '',
      sum: '',
      payee_ids: 'paper',
      ibans: '',
      numbers: '10000000',
      name: 'paperltd',
    });
  });

  it('need no more payees than there are invoices, and are none without payees', async () => {
    expect(await first(1, [paper, rent])).toMatchObject({ read: 1 });
    expect(await first(5, [])).toEqual({ found: [], read: 0 });
  });

  it('have no decimals in a currency without, if the amount allows', async () => {
    const { found } = await first(2, [paper], 'JPY');
    expect(found.map(({ invoice }) => [invoice.amount, invoice.currency])).toEqual([
      ['10', 'JPY'],
      ['89.19', 'JPY'],
    ]);
  });
});

it('The payees of a subscription have a mark of five characters, which stays the same', async () => {
  const asked: object[] = [];
  const creditors = ['c-1', 'c-2', 'c-6366'].map((creditorId) => ({
    creditorId,
    creditorname: 'Paper Ltd',
    creditorAccountidentification: '10000000',
  }));
  const earliest = (filter: object) => {
    asked.push(filter);
    return creditors;
  };
  const store = { records: () => ({ earliest }) } as unknown as Store; // what is read of it
  const found = [];
  for await (const payee of payeesOf(store, 's-1')) found.push(payee);
  expect(asked).toEqual([{ subject: 's-1' }]);
  expect(found).toEqual([
    { creditorId: 'c-1', creditorname: 'Paper Ltd', identification: '10000000', mark: 'BSV2F' },
    { creditorId: 'c-2', creditorname: 'Paper Ltd', identification: '10000000', mark: 'AO6JF' },
    { creditorId: 'c-6366', creditorname: 'Paper Ltd', identification: '10000000', mark: '02AHL' },
  ]);
});

it.each([
  ['EUR', 'GB', 'EUR'],
  ['', 'ZA', 'ZAR'],
  [undefined, 'US', 'USD'],
  [undefined, 'XX', 'GBP'],
])('The currency of a debtor in %j with a provider in %s is %s', (debtors, country, currency) => {
  expect(currencyFor(debtors, country)).toBe(currency);
});

it.each([
  ['Bacs Standard 18', 'ceb9d50c-0000-4000-8000-000000000000', 'text/plain', 'bacs-18_ceb9d50c.txt'],
  ['Bacs file format', 'short-id', 'text/csv; charset=utf-8', 'bacs_short-id.csv'],
  ['Überweisung', 'exactly-16-chars', ' Application/XML ', 'uberweisung_exactly-16-chars.xml'],
  ['', '17-characters-now', 'application/json', 'payment-file_17-chara.json'],
  ['Standard Format', '///', 'application/pdf', 'payment-file_batch.pdf'],
  ['支払', 'b', 'application/zip', 'payment-file_b.zip'],
  ['a', 'b', 'text/xml', 'a_b.xml'],
  ['a', 'b', '', 'a_b.txt'],
])('A payment file of %j and batch %j as %j is named %s (behaviour 5.12)', (format, batchId, type, name) => {
  expect(paymentFileName(format, batchId, type)).toBe(name);
});
