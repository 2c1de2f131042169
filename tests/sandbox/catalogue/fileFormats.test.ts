import { describe, it, expect } from 'vitest';
import ABA from 'aba-generator';
import { isValidRouting, parse, validate } from 'achkit';
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

interface Generator {
  addCreditTransaction(segment: Readonly<Record<string, unknown>>): void;
  toCPA005(): string;
}

// By a name of any text: the package's sources would be compiled with the project, by whose rules they have errors.
const generatorPackage: string = '@cityssm/eft-generator';
const { EFTGenerator } = (await import(generatorPackage)) as {
  EFTGenerator: new (config: Readonly<Record<string, unknown>>) => Generator;
};
const payments = [
  { name: 'Orchard Supplies', amount: '0.10', reference: 'INV-1' },
  { name: 'Wren and Sons', amount: '0.2', reference: 'INV-2' },
  { name: 'Brook Paper', amount: '12345.67', reference: 'INV-3' },
];
const cents = [10n, 20n, 1_234_567n];
const totalCents = cents.reduce((sum, each) => sum + each, 0n);

function writtenFile(name: string, more: Record<string, string> = {}): { file: string; batch: BatchRequest } {
  const format = fileFormat(name);
  const batch = exampleBatch(
    format,
    payments.map((each) => ({
      'creditor.name': each.name,
      'instructedAmount.amount': each.amount,
      'remittanceInformation.reference': each.reference,
      ...more,
    })),
  );
  expect(catalogue.batchViolations(undefined, format, batch)).toEqual([]);
  return { file: catalogue.writePaymentFile(format, batch, createdAt), batch };
}

/** Where a source has the members of a record: first and last column, counted from 1. */
type Table = Readonly<Record<string, readonly [first: number, last: number]>>;

/** A line of a file by the names of its members. */
interface Read {
  kind: string;
  line: string;
  [member: string]: string;
}

/** Reads the lines of a file by the columns of each kind of record. Throws for a line of another width or kind. */
function readBy(file: string, kindOf: (line: string) => string, tables: Readonly<Record<string, Table>>): Read[] {
  return linesOf(file).map((line) => {
    const type = kindOf(line);
    const table = tables[type];
    if (!table) throw new Error(`${line} is no known record`);
    const read: Read = { kind: type, line };
    for (const [name, [first, last]] of Object.entries(table)) {
      if (line.length < last) throw new Error(`${type} ends before column ${last}`);
      read[name] = line.slice(first - 1, last);
    }
    return read;
  });
}

const units = (text = ''): bigint => BigInt(text.trim());
const sumOf = (records: readonly Record<string, string>[], member: string): bigint =>
  records.reduce((sum, each) => sum + units(each[member]), 0n);

const given = (records: readonly Record<string, string>[]) =>
  records.map(({ name = '', amount, reference = '' }) => [name.trim(), units(amount), reference.trim()]);
const expected = payments.map(({ name, reference }, index) => [name, cents[index], reference]);

describe('A file by an independent writer', () => {
  it('is the same as an ABA file of aba-generator 2.1.0, which leaves the last line unended (wire 9.3)', () => {
    const { file, batch } = writtenFile('ABA direct entry');
    const other = new ABA({
      header: { bank: 'XYZ', user: 'Applewick Trading', userNumber: 301500, description: 'CREDITORS', date: '310126' },
    }).generate(
      batch.payments.map(({ creditorAgent, creditorAccount, creditor, instructedAmount, remittanceInformation }) => ({
        bsb: creditorAgent?.identification?.replace('-', '') ?? '',
        account: creditorAccount?.identification ?? '',
        transactionCode: 50,
        amount: Number(instructedAmount.amount),
        accountTitle: creditor.name,
        reference: remittanceInformation?.reference ?? '',
        traceBsb: batch.debtorAgent?.identification?.replace('-', '') ?? '',
        traceAccount: batch.debtorAccount?.identification ?? '',
        remitter: 'Applewick Trading',
      })),
    );
    expect(file).toBe(`${other.replace(/\r?\n$/, '')}\r\n`);
  });

  it('is the same as a CPA 005 file of @cityssm/eft-generator 1.0.0, which leaves the last line unended (wire 9.3)', () => {
    const { file, batch } = writtenFile('CPA 005 EFT credits');
    const { debtorAgent, debtorAccount } = batch;
    const bank = debtorAgent?.identification ?? '';
    const generator = new EFTGenerator({
      originatorId: 'PAYOUT0001',
      originatorLongName: 'Maple Trading',
      fileCreationNumber: '0001',
      fileCreationDate: new Date(2026, 1, 3, 12),
      destinationDataCentre: '01020',
      destinationCurrency: 'CAD',
      returnInstitutionNumber: bank.slice(0, 3),
      returnTransitNumber: bank.slice(3),
      returnAccountNumber: debtorAccount?.identification ?? '',
    });
    for (const { creditorAgent, creditorAccount, creditor, instructedAmount, remittanceInformation } of batch.payments)
      generator.addCreditTransaction({
        cpaCode: '460',
        amount: Number(instructedAmount.amount),
        paymentDate: new Date(2026, 0, 31, 12),
        bankInstitutionNumber: creditorAgent?.identification?.slice(0, 3) ?? '',
        bankTransitNumber: creditorAgent?.identification?.slice(3) ?? '',
        bankAccountNumber: creditorAccount?.identification ?? '',
        payeeName: creditor.name,
        crossReferenceNumber: remittanceInformation?.reference ?? '',
      });
    expect(file).toBe(`${generator.toCPA005()}\r\n`);
  });
});

describe('A file read by another reader', () => {
  it('is a valid NACHA file to achkit 0.2.0, with the payments (wire 9.3)', () => {
    const { file } = writtenFile('NACHA ACH credits');
    expect(validate(file)).toEqual({ ok: true, errors: [] });
    const [batch, ...others] = parse(file).batches;
    expect(others).toEqual([]);
    expect(batch?.entries.every(({ routing }) => isValidRouting(routing))).toBe(true);
    expect(batch?.entries.map(({ name, amountCents, idNumber }) => [name.trim(), BigInt(amountCents), idNumber.trim()])).toEqual(expected); // prettier-ignore
    expect(BigInt(batch?.control?.totalCredit ?? 0)).toBe(totalCents);
  });

  it('is a Bacs file by the columns of Bank of Ireland’s and HSBC’s guides (wire 9.3)', () => {
    const { file } = writtenFile('Bacs Standard 18');
    const label = { set: [6, 11], user: [16, 21], serial: [22, 27], created: [42, 47], expires: [48, 53] } as const;
    const records = readBy(file, (line) => /^(VOL1|HDR[12]|UHL1|EOF[12]|UTL1)/.exec(line)?.[0] ?? line.slice(14, 17), {
      VOL1: { serial: [5, 10], user: [42, 47], level: [80, 80] },
      HDR1: label,
      HDR2: { format: [5, 5], block: [6, 10], record: [11, 15], offset: [51, 52] },
      UHL1: { day: [5, 10], receiver: [11, 16], currency: [21, 22], zeros: [23, 28], work: [29, 37], file: [38, 40] },
      '099': { reference: [65, 82], amount: [36, 46], name: [83, 100] },
      '017': { account: [1, 14], payer: [18, 31], amount: [36, 46] },
      EOF1: label,
      EOF2: { format: [5, 5], block: [6, 10], record: [11, 15], offset: [51, 52] },
      UTL1: { debits: [5, 17], credits: [18, 30], debitCount: [31, 37], creditCount: [38, 44] },
    });
    const of = (kind: string) => records.filter((each) => each.kind === kind);
    expect(records.map(({ kind }) => kind)).toEqual(['VOL1', 'HDR1', 'HDR2', 'UHL1', '099', '099', '099', '017', 'EOF1', 'EOF2', 'UTL1']); // prettier-ignore
    expect(given(of('099'))).toEqual(expected);
    expect(of('017').map(({ account, payer, amount }) => [account === payer, units(amount)])).toEqual([
      [true, totalCents],
    ]);
    const { debits, credits, debitCount, creditCount } = records.at(-1)!; // listed above
    expect([debits, credits, debitCount, creditCount].map(units)).toEqual([sumOf(of('017'), 'amount'), sumOf(of('099'), 'amount'), 1n, 3n]); // prettier-ignore
    for (const { line, ...members } of [...of('HDR1'), ...of('EOF1')])
      expect([members, line.length]).toMatchObject([{ set: '654321', user: '654321', serial: '000001', created: ' 26034', expires: ' 26031' }, 80]); // prettier-ignore
    for (const members of [...of('HDR2'), ...of('EOF2')])
      expect(members).toMatchObject({ format: 'F', block: '02000', record: '00100', offset: '00' });
    expect(of('UHL1')).toMatchObject([{ day: ' 26031', receiver: '999999', currency: '00', zeros: '000000', work: '1 DAILY  ', file: '001' }]); // prettier-ignore
  });

  it('is a user set of EFT by the columns of a writer for ABSA, whose hash includes the contra’s account (wire 9.3)', () => {
    const { file } = writtenFile('EFT credits by branch code', { 'creditorAccount.identification': '99999999999' });
    const payment: Table = {
      branch: [7, 12],
      payer: [13, 23],
      code: [24, 27],
      sequence: [28, 33],
      account: [40, 50],
      kind: [51, 51],
      amount: [52, 62],
      day: [63, 68],
      entry: [69, 70],
      tax: [71, 71],
      short: [75, 84],
      reference: [85, 104],
      name: [105, 134],
      long: [135, 154],
      end: [171, 172],
    };
    const records = readBy(file, (line) => line.slice(4, 6), {
      '04': {
        code: [7, 10],
        created: [11, 16],
        first: [23, 28],
        last: [29, 34],
        sequence: [35, 40],
        generation: [41, 44],
      },
      '10': payment,
      '12': payment,
      '92': {
        code: [7, 10],
        first: [11, 16],
        last: [17, 22],
        debits: [35, 40],
        credits: [41, 46],
        contras: [47, 52],
        debit: [53, 64],
        credit: [65, 76],
        hash: [77, 88],
      },
    });
    expect(new Set(records.map(({ line }) => line.length))).toEqual(new Set([198]));
    const of = (kind: string) => records.filter(({ line }) => line.slice(4, 6) === kind);
    expect(given(of('10'))).toEqual(expected);
    for (const each of of('10'))
      expect(each).toMatchObject({ entry: '88', tax: '0', short: 'Applewick ', long: '0'.repeat(20), end: '21', day: '260131' }); // prettier-ignore
    expect(of('12')).toMatchObject([{ entry: '10', account: of('12')[0]?.['payer'], sequence: '000004' }]);
    const [trailer] = of('92');
    const hash = (sumOf(of('10'), 'account') + sumOf(of('12'), 'account')) % 10n ** 12n;
    expect(['debit', 'credit', 'hash', 'debits', 'credits', 'contras', 'first', 'last'].map((member) => units(trailer?.[member]))).toEqual([sumOf(of('12'), 'amount'), totalCents, hash, 1n, 3n, 1n, 1n, 4n]); // prettier-ignore
  });

  it('is an AFB320 file by the columns of two public writers (wire 9.3)', () => {
    const { file } = writtenFile('Virements internationaux, 320 colonnes');
    const records = readBy(file, (line) => line.slice(0, 4), {
      '03PI': {
        sequence: [5, 10],
        name: [19, 53],
        address: [54, 158],
        siret: [159, 172],
        remittance: [173, 188],
        bic: [189, 199],
        kind: [200, 200],
        account: [201, 234],
        currency: [235, 237],
        type: [309, 309],
        day: [310, 317],
        paid: [318, 320],
      },
      '04PI': {
        sequence: [5, 10],
        kindOf: [11, 11],
        account: [12, 45],
        name: [46, 80],
        address: [81, 185],
        country: [203, 204],
        reference: [205, 220],
        amount: [226, 239],
        decimals: [240, 240],
        economic: [242, 244],
        charges: [248, 249],
      },
      '05PI': { sequence: [5, 10], bank: [11, 150], bic: [151, 161], country: [162, 163] },
      '07PI': { sequence: [5, 10], reason: [11, 150] },
      '08PI': { sequence: [5, 10], siret: [159, 172], remittance: [173, 188], total: [254, 271] },
    });
    const of = (kind: string) => records.filter(({ line }) => line.startsWith(kind));
    expect(new Set(records.map(({ line }) => line.length))).toEqual(new Set([320]));
    expect(records.map(({ sequence }) => units(sequence))).toEqual(records.map((_, index) => BigInt(index + 1)));
    expect(given(of('04'))).toEqual(expected);
    expect(of('03')).toMatchObject([{ kind: '1', currency: 'EUR', type: '1', day: '20260131', paid: 'EUR', bic: 'AAAAFRPPXXX' }]); // prettier-ignore
    for (const each of of('04'))
      expect(each).toMatchObject({ kindOf: '1', decimals: '2', charges: '14', country: 'FR' });
    expect(of('05')).toMatchObject(Array(3).fill({ bic: 'AAAAFRPPXXX', country: 'FR' }));
    expect(of('07').map(({ reason = '' }) => reason.trim())).toEqual(Array(3).fill('Facture de janvier'));
    expect(units(of('08')[0]?.['total'])).toBe(sumOf(of('04'), 'amount'));
  });
});
