import { describe, expect, it } from 'vitest';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { batchBody } from '#contract/requests/batchBody.ts';
import { columnsOf } from '#rules/paymentFile/column.ts';
import { previewOf } from '#rules/paymentFile/preview.ts';
import { testSandbox } from '../harness.ts';
import { exampleBatch, fileFormat } from '../catalogue/exampleBatches.ts';

const canadian = catalogue.fileFormatsFor('CA')[0]!.fileFormatId;
const provider = catalogue.providersFor('CA')[0]!.providerId;
const inLanguage = (language: string) => (language === '' ? {} : { [header.language]: language });

/** A batch by bank file, whose rules it breaks. */
const wrong = {
  externalId: 'b-1',
  requestedExecutionDateTime: executionDate,
  fileFormatId: canadian,
  payments: [
    {
      instructedAmount: { amount: '1.00', currency: 'CAD' },
      creditor: { name: 'x'.repeat(300) },
      remittanceInformation: { reference: 'r' },
    },
  ],
};

async function refusedBatch(language: string) {
  const sandbox = await testSandbox({}, catalogue);
  const { token, ...who } = await sandbox.onboard();
  const asked = { token, headers: inLanguage(language) };
  const { batchId } = (await sandbox.call('POST', endpoints.batches, { ...asked, body: { data: wrong } })).body.data;
  sandbox.clock.increment(1000);
  await sandbox.settled();
  const messages = async (again: string) => {
    const path = `${endpoints.batches}/${batchId}`;
    const { body } = await sandbox.call('GET', path, { token, headers: inLanguage(again) });
    expect(body.data.status).toBe('Rejected');
    return (body.error.detail as { message: string }[]).map(({ message }) => message).join('\n');
  };
  return { sandbox, token, who, messages };
}

const [english, french] = [/enter|choose|give/, /saisissez|choisissez|indiquez/];

describe('The errors of a batch', () => {
  it.each([
    ['', '', english],
    ['', 'fr-CA', french],
    ['fr-CA', '', french],
    ['fr-CA', 'en-CA', english],
    ['fr-CA', 'fr-CA', french],
    ['fr-CA', 'de-DE', english],
    ['de-DE', '', english],
  ])(
    'of a batch sent in “%s” and read in “%s” are in the language asked for last (wire 15.3)',
    async (sent, read, words) => {
      const { messages } = await refusedBatch(sent);
      const said = await messages(read);
      expect(said).toMatch(words);
      expect(said).not.toMatch(words === english ? french : english);
    },
  );

  it('stay the same ones in each language', async () => {
    const { messages } = await refusedBatch('');
    const lines = async (language: string) => (await messages(language)).split('\n').length;
    expect(await lines('fr-CA')).toBe(await lines('en-CA'));
  });
});

it.each([
  ['', english],
  ['fr-CA', french],
])(
  'A subscription that breaks rules is refused in the language asked for: “%s” (wire 15.3)',
  async (language, words) => {
    const sandbox = await testSandbox({}, catalogue);
    const { organisationId, token } = await sandbox.onboard();
    const { status, body } = await sandbox.call('POST', pathOf('createSubscription', organisationId), {
      token,
      headers: inLanguage(language),
      body: { data: { providerId: provider, additionalData: '{"institutionNumber":"x"}' } },
    });
    expect(status).toBe(422);
    expect(body.errors.map(({ message }) => message).join('\n')).toMatch(words);
  },
);

const most = { 'instructedAmount.amount': '99999999.99' };
const penny = { 'instructedAmount.amount': '0.01' };
const hundred = 100;

/** The narrowest total of each format, and a number of payments of 99,999,999.99 that it just holds. */
const totals = [
  ['ABA direct entry', '99,999,999.99 AUD', 1, 'columns 21-30 of Trailer line 1'],
  ['ABA direct entry, self-balancing', '99,999,999.99 AUD', 1, 'columns 21-30 of Trailer line 1'],
  ['Bacs Standard 18', '999,999,999.99 GBP', 10, 'columns 36-46 of Trailer line 1'],
  ['NACHA ACH credits', '9,999,999,999.99 USD', hundred, 'columns 33-44 of Trailer line 1'],
  ['EFT credits by branch code', '999,999,999.99 ZAR', 10, 'columns 52-62 of Trailer line 1'],
] as const;

const file = (name: string, changes: readonly Record<string, string>[]): BatchRequest => ({
  ...exampleBatch(fileFormat(name), changes),
  requestedExecutionDateTime: executionDate,
});

describe('A batch whose total its file cannot hold', () => {
  it.each(totals)(
    'is refused by the sandbox, which names the total: %s (behaviour 5.17)',
    async (name, limit, payments, columns) => {
      const sandbox = await testSandbox({}, catalogue);
      const { token } = await sandbox.onboard();
      const { fileFormatId } = fileFormat(name);
      const post = (changes: readonly Record<string, string>[]) =>
        sandbox.call('POST', endpoints.batches, {
          token,
          body: { data: batchBody({ ...file(name, changes), fileFormatId }) },
        });
      const full = Array.from({ length: payments }, () => most);
      const { status, body } = await post([...full, ...full, penny]);
      expect([status, body.errors]).toMatchObject([422, [{ path: 'data.payments' }]]);
      expect(body.errors[0]?.message).toMatch(/^payments: the total [\d,]+\.\d\d [A-Z]{3} is too large for /);
      expect(body.errors[0]?.message).toContain(`${columns}, which hold at most ${limit}`);
      expect((await post(full)).status).toBe(201);
    },
  );

  it.each(totals)('shows its total as the fault of the preview: %s (behaviour 5.10)', (name, limit, payments) => {
    const full = Array.from({ length: 2 * payments }, () => most);
    const { faults } = previewOf(fileFormat(name), file(name, full), new Date(0));
    expect(faults.length).toBeGreaterThan(0);
    for (const { message } of faults) expect(message).toContain('the total');
    expect(faults.some(({ message }) => message.includes(limit))).toBe(true);
  });

  it('has room for the greatest total of 2,000 payments elsewhere', () => {
    for (const name of ['CPA 005 EFT credits', 'Virements internationaux, 320 colonnes'])
      expect(
        catalogue.overflows(
          fileFormat(name),
          file(
            name,
            Array.from({ length: 2000 }, () => most),
          ),
        ),
      ).toEqual([]);
  });
});

describe('An amount that its columns cannot hold', () => {
  it('is named as an amount', () => {
    const za = fileFormat('EFT credits by branch code');
    const change = { 'instructedAmount.amount': '12345678.1234', 'instructedAmount.currency': 'CLF' };
    const messages = catalogue.batchViolations(undefined, za, file(za.name, [change])).map(({ message }) => message);
    expect(messages[0]).toContain('the amount 12,345,678.1234 CLF is too large for columns 52-62 of Detail line 1');
    expect(messages[0]).toContain('which hold at most 9,999,999.9999 CLF');
  });
});

describe('A sum of account numbers', () => {
  it('marks an account that is no number in the preview, and does not fail', () => {
    const za = fileFormat('EFT credits by branch code');
    const change = { 'creditorAccount.identification': 'GB29NWBK6016' };
    const { faults } = previewOf(za, file(za.name, [change]), new Date(0));
    expect(faults.map(({ message }) => message).join()).toContain('is no number, so that there is no sum');
  });

  it('is cut to its last digits only where the format has a hash total', () => {
    const cut = catalogue
      .fileFormatsFor()
      .flatMap((format) =>
        columnsOf(format).columns.filter(({ content, layout }) => content && 'sum' in content && layout.truncate),
      );
    expect(cut.length).toBeGreaterThan(0);
    for (const { layout } of cut) expect(layout.format).toBeUndefined();
  });
});
