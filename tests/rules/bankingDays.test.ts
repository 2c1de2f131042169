import { describe, expect, it } from 'vitest';
import { dayNote, holidays, isProcessingDay, nextProcessingDay, schemeFor, schemes } from '#rules/bankingDays.ts';

/** The weekdays without processing, by scheme and year, as their operators publish them (docs/banking-days.md). */
const published: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  Bacs: {
    2026: '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28',
    2027: '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28',
    2028: '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26',
  },
  FedACH: {
    2026: '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25',
    2027: '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25',
    2028: '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25',
  },
  RITS: {
    2026: '01-01 01-26 04-03 04-06 06-08 12-25 12-28',
    2027: '01-01 01-26 03-26 03-29 06-14 12-27 12-28',
    2028: '01-03 01-26 04-14 04-17 04-25 06-12 12-25 12-26',
  },
  ACSS: {
    2026: '01-01 04-03 05-18 07-01 09-07 09-30 10-12 11-11 12-25 12-28',
    2027: '01-01 03-26 05-24 07-01 09-06 09-30 10-11 11-11 12-27 12-28',
    2028: '01-03 04-14 05-22 07-03 09-04 10-02 10-09 11-13 12-25 12-26',
  },
  EFT: {
    2026: '01-01 04-03 04-06 04-27 05-01 06-16 08-10 09-24 12-16 12-25',
    2027: '01-01 03-22 03-26 03-29 04-27 06-16 08-09 09-24 12-16 12-27',
    2028: '03-21 04-14 04-17 04-27 05-01 06-16 08-09 09-25 12-25 12-26',
  },
  TARGET: {
    2026: '01-01 04-03 04-06 05-01 12-25',
    2027: '01-01 03-26 03-29',
    2028: '04-14 04-17 05-01 12-25 12-26',
  },
};

/** Holidays of South Africa on a Saturday, on which EFT would otherwise run. */
const saturdays: Readonly<Record<number, string>> = {
  2026: '03-21 12-26',
  2027: '05-01 12-25',
  2028: '01-01 12-16',
};

const named = (name: string) => schemes.find((each) => each.name === name)!; // the tests name those that exist

const cases = Object.entries(published).flatMap(([name, years]) =>
  Object.entries(years).map(([year, days]) => [name, Number(year), days] as const),
);

describe('The days without processing', () => {
  it.each(cases)('of %s in %i are those of its operator (behaviour 9.16)', (name, year, days) => {
    const all = [...days.split(' '), ...(name === 'EFT' ? saturdays[year]!.split(' ') : [])];
    expect(holidays(named(name), year)).toEqual(all.map((day) => `${year}-${day}`).sort());
  });

  it('are published for each scheme', () => expect(schemes.map(({ name }) => name)).toEqual(Object.keys(published)));

  it.each(['2026-07-03', '2027-06-18', '2027-12-24', '2027-12-31', '2028-11-10'])(
    'are not the Friday before a holiday on Saturday, for FedACH: %s',
    (day) => expect(isProcessingDay(named('FedACH'), day)).toBe(true),
  );

  it('move over a holiday that is there: Christmas of 2022 to Tuesday for Bacs, and not at all for EFT', () => {
    expect(holidays(named('Bacs'), 2022).slice(-2)).toEqual(['2022-12-26', '2022-12-27']);
    expect(holidays(named('EFT'), 2022).slice(-1)).toEqual(['2022-12-26']);
  });

  it('are Saturday and Sunday, and for EFT Sunday alone', () => {
    for (const scheme of schemes) {
      expect(isProcessingDay(scheme, '2026-11-28')).toBe(scheme.name === 'EFT');
      expect(isProcessingDay(scheme, '2026-11-29')).toBe(false);
      expect(isProcessingDay(scheme, '2026-11-30')).toBe(true);
    }
  });

  it('have proclaimed days of one year beside them', () => {
    const proclaimed = { ...named('Bacs'), single: ['2027-05-10'] };
    expect(isProcessingDay(proclaimed, '2027-05-10')).toBe(false);
    expect(isProcessingDay(proclaimed, '2028-05-10')).toBe(true);
  });
});

describe('The next day on which a scheme processes', () => {
  it.each([
    ['Bacs', '2026-12-27', '2026-12-29'],
    ['Bacs', '2026-12-25', '2026-12-29'],
    ['Bacs', '2026-12-24', '2026-12-24'],
    ['FedACH', '2027-12-25', '2027-12-27'],
    ['RITS', '2027-04-26', '2027-04-26'],
    ['ACSS', '2027-12-25', '2027-12-29'],
    ['EFT', '2026-12-25', '2026-12-28'],
    ['TARGET', '2028-04-14', '2028-04-18'],
    ['TARGET', '2027-12-31', '2027-12-31'],
  ])('of %s from %s on is %s', (name, day, next) => expect(nextProcessingDay(named(name), day)).toBe(next));
});

describe('What is said of an execution day', () => {
  it.each([
    ['Bacs', '2026-12-27', 'Bacs does not process on Sunday 27 December. Its next day is Tuesday 29 December.'],
    ['Bacs', '2026-12-29', ''],
    ['EFT', '2026-11-28', ''],
    ['EFT', '2027-01-05', 'Single holidays of EFT after 2026 are not known here: Tuesday 5 January 2027 may be one.'],
    [
      'ACSS',
      '2026-12-28',
      'ACSS does not process on Monday 28 December. Its next day is Tuesday 29 December. No document confirms this moved holiday.',
    ],
    [
      'Bacs',
      '2028-12-30',
      'Bacs does not process on Saturday 30 December. Its next day is Tuesday 2 January. Single holidays of Bacs after 2028 are not known here: Tuesday 2 January 2029 may be one.',
    ],
  ])('of %s on %s: %s (behaviour 9.16)', (name, day, note) => expect(dayNote(named(name), day)).toBe(note));
});

describe('The scheme of payments', () => {
  it.each([
    ['Bacs Direct Credit', 'GBP', 'Bacs'],
    ['BACS', 'GBP', 'Bacs'],
    ['Bacs Direct Credit', 'EUR', 'TARGET'],
    ['Faster Payments', 'GBP', undefined],
    ['Cheque', 'GBP', undefined],
    ['NACHA ACH credits', 'USD', 'FedACH'],
    ['ACH Credit', 'USD', 'FedACH'],
    ['Direct Entry', 'AUD', 'RITS'],
    ['ABA direct entry, self-balancing', 'AUD', 'RITS'],
    ['EFT Credit', 'CAD', 'ACSS'],
    ['Crédits TEF, norme 005', 'CAD', 'ACSS'],
    ['EFT / ACB credits', 'ZAR', 'EFT'],
    ['International transfers, 320 columns', 'EUR', 'TARGET'],
    ['International transfers, 320 columns', 'USD', undefined],
    ['SEPA Instant', 'EUR', undefined],
    ['', 'EUR', undefined],
  ])('by %s in %s is %s', (means, currency, name) => expect(schemeFor(means, currency)?.name).toBe(name));
});
