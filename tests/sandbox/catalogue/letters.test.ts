import { describe, expect, it } from 'vitest';
import { checkField } from '#rules/check.ts';
import { fieldOf, validationOf } from '#rules/field.ts';
import { previewOf } from '#rules/paymentFile/preview.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { exampleBatch, fileFormat } from './exampleBatches.ts';

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
