import { describe, expect, it } from 'vitest';
import { checkField } from '#rules/check.ts';
import { fieldOf, validationOf, initialValues, paymentForm } from '#rules/field.ts';
import { previewOf, asRead } from '#rules/paymentFile/preview.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { textOf } from '#tests/support/api.ts';
import type { FileFormat } from '#contract/lookup.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { batchRequest } from '#rules/batch.ts';
import { withExamples } from '#rules/example.ts';
import { paymentExtras } from '#rules/payload.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { batchIn, onboard, subscribe } from '#tests/support/guidedPath.ts';
import { exampleBatch, fileFormat, linesOf } from './exampleBatches.ts';

/** Texts that users type, with the letters that are beyond ASCII. */
const texts = [
  'Strauß',
  'Søren Ærø',
  'A×B',
  'Łódź',
  'Café',
  'Cafe\u0301',
  'O’Brien',
  '“A”',
  'A–B',
  'A\u00a0B',
  'A\u200bB',
  'A😀',
  'שלום',
  'مرحبا',
  'A\u202eB',
  'A\u0007B',
  'A\u0301\u0302',
  'ﬁx',
  'Ａ',
  'Nguyễn',
  'A\tB',
  'A\nB',
  'Ⅻ',
  '½',
  'A;B',
  'A&B',
];

/** The members of a batch that hold texts, in formats that have a rule for them. */
const textPaths = /\.(name|reference|unstructured|addressLine\d|bankName|description|entryDescription)$/;

const formats = catalogue
  .fileFormatsFor()
  .map((format) => [`${format.name}, ${String(format['country'])}`, format] as const);

describe('A bank file’s letters', () => {
  it.each(formats)('are the same for form, sandbox, review and file: %s (behaviour 5.13)', (_, format) => {
    const validations = format.specification.rules.flatMap((rule) => validationOf(rule) ?? []);
    const ofTexts = validations.filter(({ jsonPath, regex }) => regex && textPaths.test(jsonPath));
    expect(ofTexts.length).toBeGreaterThan(1);
    for (const validation of ofTexts)
      for (const text of texts) {
        const { jsonPath } = validation;
        const isOfPayment = jsonPath.startsWith('payments.');
        const batch = exampleBatch(format, [isOfPayment ? { [jsonPath.replace('payments.', '')]: text } : {}]);
        if (!isOfPayment) {
          const [owner = '', name = ''] = jsonPath.split('.');
          const members = batch as unknown as Record<string, Record<string, string>>; // userIdentification, additionalData
          members[owner]![name] = text; // the example has it
        }
        const atField = checkField(fieldOf(validation, jsonPath), text)?.message;
        const violations = catalogue.batchViolations(undefined, format, batch).map(({ message }) => message);
        const { faults, changes } = previewOf(format, batch, new Date(0));
        const what = `${jsonPath} ${JSON.stringify(text)} ${atField}`;
        expect(violations.length > 0, what).toBe(atField !== undefined);
        expect(faults.length > 0, what).toBe(atField !== undefined);
        if (atField !== undefined) {
          expect(atField, what).toMatch(/U\+[\dA-F]{4,}/);
          continue;
        }
        expect(catalogue.writePaymentFile(format, batch, new Date(0)), what).toMatch(/^[ -~\r\n]+$/);
        const composed = text.normalize('NFC');
        expect(
          changes.some(({ given }) => given === composed),
          what,
        ).toBe(/[^ -~]/.test(composed));
      }
  });

  it('that are transliterated to more than the columns hold break the rule, at the review as in the sandbox (behaviour 5.13)', () => {
    const format = fileFormat('CPA 005 EFT credits');
    const batch = exampleBatch(format, [{ 'creditor.name': 'ß'.repeat(30) }]);
    const [violation] = catalogue.batchViolations(undefined, format, batch);
    const { faults } = previewOf(format, batch, new Date(0));
    expect(violation?.message).toContain('is longer than columns 105-134');
    expect(faults.map(({ message }) => message)).toEqual([expect.stringContaining('is longer than columns 105-134')]);
  });
});

describe('A value that a file cuts', () => {
  it('is named with what stands in the file: the Bacs payee after 18 characters (behaviour 5.14)', () => {
    const format = fileFormat('Bacs Standard 18');
    const batch = exampleBatch(format, [{ 'creditor.name': 'Orchard Supplies Ltd' }, { 'creditor.name': 'Short' }]);
    const { changes, lines } = previewOf(format, batch, new Date(0));
    expect(changes).toEqual([
      {
        line: 5,
        columns: '83-100',
        label: 'Payee name',
        payment: 0,
        given: 'Orchard Supplies Ltd',
        written: 'Orchard Supplies L',
        cutAfter: 18,
      },
    ]);
    expect(lines[4]?.cells.find(({ columns }) => columns === '83-100')?.given).toBe('Orchard Supplies Ltd');
  });

  it('is named under its own label where another column copies it, and after its transliteration (behaviour 5.14)', () => {
    const format = fileFormat('CPA 005 EFT credits');
    const batch = exampleBatch(format);
    batch.userIdentification = { name: 'Straußenfarm Größenwahn' };
    const { changes } = previewOf(format, batch, new Date(0));
    expect(changes.map(({ label, written, cutAfter }) => [label, written, cutAfter])).toEqual([
      ['Name of the user', 'Straussenfarm G', 15],
      ['Name of the user', 'Straussenfarm Grossenwahn', undefined],
    ]);
  });
});

const createdAt = new Date('2026-02-03T14:05:00Z');
const fileFormats = catalogue
  .fileFormatsFor()
  .map((format) => [`${format.name} ${format.fileFormatId}`, format] as const);
const many = Array.from({ length: 13 }, (_, index) => ({ 'instructedAmount.amount': `${index + 1}.10` }));

/** A batch with an empty text and additional data as a text, as another program may send it. */
const asSent = ({ additionalData, ...batch }: BatchRequest): BatchRequest => ({
  ...batch,
  ...(additionalData !== undefined && { additionalData: JSON.stringify(additionalData) }),
});

const cellTexts = (format: FileFormat, batch: BatchRequest, at = createdAt) =>
  previewOf(format, batch, at).lines.map(({ text }) => text);

/** A line put together from its cells, at the places that they say they have. */
const together = ({ cells, text }: ReturnType<typeof previewOf>['lines'][number]): string =>
  cells.length === 0 ? text : cells.reduce((line, cell) => line.padEnd(cell.start) + cell.text, '');

describe('the lines shown before a file is made', () => {
  it.each(fileFormats)('are those of the file: %s (behaviour 5.11)', (_, format) => {
    for (const changes of [[{}], many]) {
      const batch = exampleBatch(format, changes);
      const { lines, faults, unread } = previewOf(format, asSent(batch), createdAt);
      expect(lines.map(({ text }) => text)).toEqual(linesOf(catalogue.writePaymentFile(format, batch, createdAt)));
      expect(lines.map(together)).toEqual(lines.map(({ text }) => text));
      expect([faults, unread]).toEqual([[], []]);
    }
  });

  it.each(fileFormats)('mark what the service will refuse, and nothing else: %s (behaviour 5.10)', (_, format) => {
    const long = {
      'creditor.name':
        'Société É with a name that is longer than any column of a bank file could ever be, and then more',
    };
    const batch = exampleBatch(format, [{}, long, { 'instructedAmount.amount': '1.005' }]);
    const refused = catalogue.batchViolations(undefined, format, asRead(batch));
    const { faults } = previewOf(format, batch, createdAt);
    const keys = (list: readonly { rule: string; index: number | undefined }[]) =>
      new Set(list.map(({ rule, index }) => `${rule} ${index}`));
    expect(faults.length).toBeGreaterThan(0);
    // The service lays a batch out only if its values are in order.
    expect(keys(faults.map(({ ruleId, payment }) => ({ rule: ruleId, index: payment })))).toEqual(
      new Set([
        ...keys(refused.map(({ sourceId, index }) => ({ rule: sourceId, index }))),
        ...keys(
          faults
            .filter(({ message }) => /longer than|cannot hold|decimals|one currency/.test(message))
            .map(({ ruleId, payment }) => ({ rule: ruleId, index: payment })),
        ),
      ]),
    );
  });

  it('mark a cell whose value breaks its rule, with the rule', () => {
    const format = fileFormat('ABA direct entry');
    const batch = exampleBatch(format, [{}, { 'creditorAgent.identification': '200000' }]);
    const { lines, faults } = previewOf(format, batch, createdAt);
    expect(faults).toMatchObject([{ line: 3, columns: '2-8', ruleId: 'Detail1-2-8', payment: 1 }]);
    expect(lines[2]?.cells[1]).toMatchObject({ text: '200000 ', fault: faults[0]?.message });
  });

  it('say which rules are not understood, and hold the rest', () => {
    const format = fileFormat('ABA direct entry');
    const { rules } = format.specification;
    const odd = [
      { ruleId: 'odd', type: 'Detail', destination: { destination: 'somewhere' } },
      { ruleId: 'none', type: 'Footer', destination: {} },
      { ruleId: 'endless', type: 'Detail', destination: { destination: '1-999999999' } },
      { ruleId: 'backwards', type: 'Detail', destination: { destination: '9-2' } },
    ];
    const batch = exampleBatch(format);
    const { lines, unread } = previewOf(
      { ...format, specification: { ...format.specification, rules: [...rules, ...odd] } },
      batch,
      createdAt,
    );
    expect(unread.map(({ ruleId }) => ruleId)).toEqual(['odd', 'none', 'endless', 'backwards']);
    expect(lines.map(({ text }) => text)).toEqual(cellTexts(format, batch));
  });

  it('are those of the file that the running service makes of the page’s own batch (behaviour 5.11)', async () => {
    const console = await consoleWithSandbox();
    await onboard(console);
    const { subscriptionId, rules } = await subscribe(console);
    const [debtor] = (await console.done('getDebtors')).data;
    const [creditors, invoices, formatsOfGb] = [
      (await console.done('getCreditors')).data,
      (await console.done('getInvoices', { query: { count: '3' } })).data,
      (await console.done('getFileFormats', { query: { country: 'GB', language: 'en' } })).data,
    ];
    for (const format of formatsOfGb) {
      const form = paymentForm(rules, format.specification.rules);
      const batch = batchRequest({
        externalId: format.fileFormatId,
        subscriptionId,
        fileFormatId: format.fileFormatId,
        debtor: debtor!,
        invoices,
        creditors,
        extras: paymentExtras(form, withExamples(form, initialValues(form))),
        today: new Date().toISOString().slice(0, 10),
      });
      const before = new Date();
      expect(previewOf(format, batch, before).faults).toEqual([]);
      const { batchId } = (await console.done('createBatch', { body: batch, query: { again: 'true' } })).data;
      const { links } = await batchIn(console, 'PaymentFileAvailable', batchId);
      const file = textOf(await console.done('downloadPaymentFile', { params: { link: links!.paymentFile! } }));
      const made = linesOf(file);
      const shown = [before, new Date()].map((at) => cellTexts(format, batch, at));
      // A minute may have passed since.
      expect(shown).toContainEqual(made);
    }
  });
});
