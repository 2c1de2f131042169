import { describe, it, expect } from 'vitest';
import type { FileFormat } from '#contract/lookup.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { columns, exampleBatch, fileFormat, linesOf } from './exampleBatches.ts';

const createdAt = new Date('2026-02-03T14:05:00Z');
const pay = (name: string, amount: string, reference: string) => ({
  'creditor.name': name,
  'instructedAmount.amount': amount,
  'remittanceInformation.reference': reference,
});
/** 0.10 + 0.20 is wrong in floating point. */
const changes = [
  pay('Orchard Supplies', '0.10', 'INV-1'),
  pay('Wren and Sons', '0.2', 'INV-2'),
  pay('Brook Paper', '12345.67', 'INV-3'),
];
const total = '1234597';

function written(name: string, batch?: BatchRequest): { format: FileFormat; batch: BatchRequest; lines: string[] } {
  const format = fileFormat(name);
  const sent = batch ?? exampleBatch(format, changes);
  expect(catalogue.batchViolations(undefined, format, sent)).toEqual([]);
  return { format, batch: sent, lines: linesOf(catalogue.writePaymentFile(format, sent, createdAt)) };
}

/** The text in these columns of each line, trimmed. */
const read = (lines: readonly string[], ...ranges: string[]) =>
  lines.map((line) => ranges.map((range) => columns(line, range).trim()));

describe('every format', () => {
  it.each(catalogue.fileFormatsFor().map((format) => [format.name, format] as const))(
    'has lines of one width and rules that do not overlap: %s',
    (name, format) => {
      const { lines } = written(name);
      const widths = new Set(lines.map(({ length }) => length));
      // Standard 18 has labels of 80 columns around records of 100.
      expect([...widths]).toHaveLength(name === 'Bacs Standard 18' ? 2 : 1);

      const taken = new Set<string>();
      for (const { type, line, destination } of format.specification.rules) {
        const [first = 1, last = 0] = (destination?.destination ?? '1-0').split('-').map(Number);
        for (let column = first; column <= last; column += 1) {
          const place = `${type} ${String(line)} column ${column}`;
          expect(taken.has(place), place).toBe(false);
          taken.add(place);
        }
      }
    },
  );
});

describe('ABA direct entry', () => {
  it('right-justifies a short account number', () => {
    const format = fileFormat('ABA direct entry');
    const { lines } = written(format.name, exampleBatch(format, [{ 'creditorAccount.identification': '12345' }]));
    expect(columns(lines[1], '9-17')).toBe('    12345');
  });

  it('balances itself if the bank requires it (wire 9.2)', () => {
    const { lines } = written('ABA direct entry, self-balancing');
    expect(read(lines.slice(-2), '1-1', '19-20', '21-30', '31-40', '41-50', '75-80')).toEqual([
      ['1', '13', total.padStart(10, '0'), 'Applewick', 'Trading', ''],
      ['7', '', '0000000000', total.padStart(10, '0'), total.padStart(10, '0'), '000004'],
    ]);
  });
});

describe('NACHA ACH credits', () => {
  it('keeps the last ten digits of a hash, with two thousand payments', () => {
    const format = fileFormat('NACHA ACH credits');
    const many = Array.from({ length: 2000 }, () => ({ 'creditorAgent.identification': '987654321' }));
    const { lines } = written(format.name, exampleBatch(format, many));
    expect(lines).toHaveLength(2010);
    expect(columns(lines[2003], '22-31')).toBe((2000 * 98765432).toString().slice(-10));
    expect(columns(lines[2003], '8-13')).toBe('000201');
  });
});

describe('EFT credits by branch code', () => {
  it('accepts British accounts in pounds, as the console’s own debtors have', () => {
    const format = fileFormat('EFT credits by branch code');
    const batch = exampleBatch(format, [
      {
        'creditorAgent.identification': '112233',
        'creditorAccount.identification': '12345678',
        'instructedAmount.currency': 'GBP',
      },
    ]);
    expect(columns(written(format.name, batch).lines[1], '34-50')).toBe('11223300012345678');
  });
});

describe('Virements internationaux', () => {
  it.each([
    ['EUR', '120.50', '2', '00000000012050'],
    ['JPY', '120', '0', '00000000000120'],
    ['KWD', '120.505', '3', '00000000120505'],
  ])('name the decimals of %s beside the amount %s', (currency, amount, decimals, units) => {
    const format = fileFormat('Virements internationaux, 320 colonnes');
    const change = { 'instructedAmount.currency': currency, 'instructedAmount.amount': amount };
    const { lines } = written(format.name, exampleBatch(format, [change]));
    expect(read(lines.slice(1, 2), '226-239', '240-240')).toEqual([[units, decimals]]);
  });

  it.each([
    ['GB29NWBK60161331926819', '1'],
    ['12345678', '2'],
  ])('name the kind of the account %s', (identification, kind) => {
    const format = fileFormat('Virements internationaux, 320 colonnes');
    const { lines } = written(
      format.name,
      exampleBatch(format, [{ 'creditorAccount.identification': identification }]),
    );
    expect([columns(lines[0], '200-200'), columns(lines[1], '11-11')]).toEqual(['1', kind]);
  });
});

describe('an invalid format', () => {
  it('is refused with what would be right', () => {
    const format: FileFormat = {
      fileFormatId: 'f',
      name: 'Wrong',
      specification: { rules: [{ ruleId: 'r', type: 'Header', destination: { destination: 'thirty' } }] },
    };
    const batch = exampleBatch(fileFormat('ABA direct entry'));
    expect(() => catalogue.writePaymentFile(format, batch, createdAt)).toThrow(/a column range such as 31-56/);
  });
});
