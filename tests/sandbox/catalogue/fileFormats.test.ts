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

const detailRows = [
  ['0000000010', 'Orchard Supplies', 'INV-1'],
  ['0000000020', 'Wren and Sons', 'INV-2'],
  ['0001234567', 'Brook Paper', 'INV-3'],
];

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
  it('has a header, the payments and a trailer whose totals agree', () => {
    const { batch, lines } = written('ABA direct entry');
    const [header = '', ...rest] = lines;
    const trailer = rest.pop() ?? '';
    expect(read([header], '1-1', '19-20', '21-23', '31-56', '57-62', '63-74', '75-80')).toEqual([
      ['0', '01', 'XYZ', 'Applewick Trading', '301500', 'CREDITORS', '310126'],
    ]);
    expect(read(rest, '21-30', '31-62', '63-80')).toEqual(detailRows);
    expect(read(rest, '1-1', '2-8', '9-17', '81-87', '88-96')[0]).toEqual([
      '1',
      batch.payments[0]?.creditorAgent?.identification,
      batch.payments[0]?.creditorAccount?.identification,
      batch.debtorAgent?.identification,
      batch.debtorAccount?.identification,
    ]);
    expect(columns(rest[0], '97-112')).toBe('Applewick Tradin');
    expect(read([trailer], '2-8', '21-30', '31-40', '41-50', '75-80')).toEqual([
      ['999-999', total.padStart(10, '0'), total.padStart(10, '0'), '0000000000', '000003'],
    ]);
  });

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

describe('Bacs Standard 18', () => {
  it('has its labels, the payments, the contra record and the totals', () => {
    const { lines } = written('Bacs Standard 18');
    expect(lines.map((line) => line.slice(0, 4)).filter((label) => /^[A-Z]/.test(label))).toEqual([
      'VOL1',
      'HDR1',
      'HDR2',
      'UHL1',
      'EOF1',
      'EOF2',
      'UTL1',
    ]);
    expect(columns(lines[1], '43-47')).toBe('26034');
    expect(columns(lines[3], '6-10')).toBe('26031');
    expect(read(lines.slice(4, 7), '36-46', '83-100', '65-82')).toEqual(
      detailRows.map(([amount = '', ...others]) => [amount.padStart(11, '0'), ...others]),
    );
    expect(read(lines.slice(7, 8), '1-6', '15-17', '36-46', '65-82')).toEqual([
      ['112233', '017', total.padStart(11, '0'), 'CONTRA'],
    ]);
    expect(read(lines.slice(10), '5-17', '18-30', '31-37', '38-44')).toEqual([
      [total.padStart(13, '0'), total.padStart(13, '0'), '0000001', '0000003'],
    ]);
  });

  it('cuts a long payee name, which its rule allows', () => {
    const format = fileFormat('Bacs Standard 18');
    const { lines } = written(
      format.name,
      exampleBatch(format, [{ 'creditor.name': 'Orchard Supplies of Applewick' }]),
    );
    expect(columns(lines[4], '83-100')).toBe('Orchard Supplies o');
  });
});

describe('NACHA ACH credits', () => {
  it('has five records, and is padded to whole blocks', () => {
    const { lines } = written('NACHA ACH credits');
    expect(lines.map((line) => line[0]).join('')).toBe('1566689999');
    expect(read(lines.slice(0, 1), '4-13', '14-23', '24-29', '30-33', '64-86')).toEqual([
      ['123456780', '1123456789', '260203', '1405', 'Applewick Trading'],
    ]);
    expect(read(lines.slice(2, 5), '30-39', '55-76', '40-54')).toEqual(detailRows);
    expect(read(lines.slice(2, 5), '80-87', '88-94')).toEqual([
      ['12345678', '0000001'],
      ['12345678', '0000002'],
      ['12345678', '0000003'],
    ]);
  });

  it('counts entries and blocks, and sums amounts and routing numbers', () => {
    const { lines } = written('NACHA ACH credits');
    const hash = (3 * 12345678).toString().padStart(10, '0');
    expect(read(lines.slice(5, 6), '5-10', '11-20', '33-44')).toEqual([['000003', hash, total.padStart(12, '0')]]);
    expect(read(lines.slice(6, 7), '8-13', '14-21', '22-31', '44-55')).toEqual([
      ['000001', '00000003', hash, total.padStart(12, '0')],
    ]);
  });

  it('keeps the last ten digits of a hash, with two thousand payments', () => {
    const format = fileFormat('NACHA ACH credits');
    const many = Array.from({ length: 2000 }, () => ({ 'creditorAgent.identification': '987654321' }));
    const { lines } = written(format.name, exampleBatch(format, many));
    expect(lines).toHaveLength(2010);
    expect(columns(lines[2003], '22-31')).toBe((2000 * 98765432).toString().slice(-10));
    expect(columns(lines[2003], '8-13')).toBe('000201');
  });
});

describe('CPA 005 EFT credits', () => {
  it('numbers its records, and writes names without accents', () => {
    const format = fileFormat('CPA 005 EFT credits');
    const batch = exampleBatch(format, [...changes, pay('L’Étoile à Noël', '1.00', 'Été')]);
    const { lines } = written(format.name, batch);
    expect(read(lines, '1-1', '2-10')).toEqual([
      ['A', '000000001'],
      ['C', '000000002'],
      ['C', '000000003'],
      ['C', '000000004'],
      ['C', '000000005'],
      ['Z', '000000006'],
    ]);
    expect(read(lines.slice(1, 5), '28-37', '105-134', '175-193')).toEqual([
      ...detailRows,
      ['0000000100', "L'Etoile a Noel", 'Ete'],
    ]);
    expect(read(lines.slice(1, 2), '25-27', '39-43', '44-52', '194-202')).toEqual([
      ['460', '26031', '099912345', '099912345'],
    ]);
    expect(read(lines.slice(5), '47-60', '61-68')).toEqual([['00000001234697', '00000004']]);
    expect(columns(lines[0], '56-58')).toBe('CAD');
  });
});

describe('EFT credits by branch code', () => {
  it('has the payments, a contra record and a trailer whose hash includes the contra’s account', () => {
    const { lines } = written('EFT credits by branch code');
    expect(read(lines, '5-6', '28-33')).toEqual([
      ['04', '126013'],
      ['10', '000001'],
      ['10', '000002'],
      ['10', '000003'],
      ['12', '000004'],
      ['92', '126013'],
    ]);
    expect(read(lines.slice(1, 4), '52-62', '105-134', '85-104')).toEqual(
      detailRows.map(([amount = '', ...others]) => [amount.padStart(11, '0'), ...others]),
    );
    expect(read(lines.slice(5), '35-40', '41-46', '47-52', '53-64', '65-76', '77-88')).toEqual([
      [
        '000001',
        '000003',
        '000001',
        total.padStart(12, '0'),
        total.padStart(12, '0'),
        (4n * 1234567890n).toString().padStart(12, '0'),
      ],
    ]);
  });

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
  it('have three lines for each payment, and the reason cut to its columns', () => {
    const format = fileFormat('Virements internationaux, 320 colonnes');
    const reason = `Loyer de février ${'et charges '.repeat(18)}`.trim();
    const batch = exampleBatch(format, [
      { ...changes[0], 'remittanceInformation.unstructured': reason },
      ...changes.slice(1),
    ]);
    const { lines } = written(format.name, batch);
    expect(read(lines, '1-2').flat()).toEqual(['03', ...Array<string[]>(3).fill(['04', '05', '07']).flat(), '08']);
    const operations = lines.filter((line) => line.startsWith('04'));
    expect(read(operations, '226-239', '46-80', '205-220')).toEqual(
      detailRows.map(([amount = '', ...others]) => [amount.padStart(14, '0'), ...others]),
    );
    expect(read(lines.slice(0, 1), '19-53', '201-234', '318-320')).toEqual([
      ['Societe du Verger', batch.debtorAccount?.identification, 'EUR'],
    ]);
    expect(columns(lines[3], '11-150')).toBe(reason.replace('é', 'e').slice(0, 140));
    expect(read(lines.slice(-1), '254-271')).toEqual([[total.padStart(18, '0')]]);
  });

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
