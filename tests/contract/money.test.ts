import { readFileSync } from 'node:fs';
import currencies from 'currency-codes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currenciesByDecimals } from '#contract/currencies.ts';
import { amountFlaw, amountOf, currencyFlaw, inCurrency, minorUnits, unitsOf } from '#contract/money.ts';
import { batchRequestSchema, type BatchRequest } from '#contract/payment.ts';
import { previewOf } from '#rules/paymentFile/preview.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { columns, exampleBatch, fileFormat, linesOf } from '#tests/sandbox/catalogue/exampleBatches.ts';
import { currenciesFile, currenciesPath } from '../../scripts/currencies/file.ts';

const all = Object.values(currenciesByDecimals).flatMap((codes) => codes.trim().split(/\s+/));

describe('The table of currencies', () => {
  it('is what npm run currencies writes', () => {
    expect(readFileSync(currenciesPath, 'utf8')).toBe(currenciesFile());
  });

  it('has the decimals of ISO 4217, and neither withdrawn codes nor those without a minor unit (behaviour 9.11)', () => {
    for (const code of all.filter((each) => !['XAD', 'XCG'].includes(each)))
      expect([code, minorUnits(code)]).toEqual([code, currencies.code(code)?.digits]);
    const decimals = { HUF: 2, LAK: 2, MRU: 2, MGA: 2, JPY: 0, CLP: 0, ISK: 0, KWD: 3, TND: 3, UYW: 4, CLF: 4, XCG: 2 };
    for (const [code, digits] of Object.entries(decimals)) expect([code, minorUnits(code)]).toEqual([code, digits]);
    for (const code of ['XAU', 'XXX', 'XTS', 'XDR', 'BGN', 'ANG', 'CUC', 'HRK', 'DEM', 'gbp', 'constructor', ''])
      expect([code, minorUnits(code), currencyFlaw(code) !== '']).toEqual([code, undefined, true]);
  });
});

describe('An amount', () => {
  const codes = fc.constantFrom(...all);
  const amounts = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 17n - 1n }), fc.integer({ min: 0, max: 4 }))
    .map(([units, places]) => amountOf(units % 10n ** BigInt(13 + places), places));

  it('keeps its value when it is written in a currency (behaviour 9.12)', () => {
    fc.assert(
      fc.property(amounts, codes, (amount, currency) => {
        expect(unitsOf(inCurrency(amount, currency), 4)).toBe(unitsOf(amount, 4));
      }),
    );
  });

  it('is the same number of minor units in a file as in the request, or refused there (behaviour 9.12)', () => {
    const format = fileFormat('Virements internationaux, 320 colonnes');
    fc.assert(
      fc.property(amounts, codes, (amount, currency) => {
        const change = { 'instructedAmount.amount': amount, 'instructedAmount.currency': currency };
        const batch: BatchRequest = exampleBatch(format, [change]);
        const flaw = amountFlaw(amount, currency);
        expect(batchRequestSchema.safeParse(batch).success).toBe(flaw === '');
        const { faults } = previewOf(format, batch, new Date(0));
        if (flaw || Number(amount.split('.')[0]) >= 10 ** 8) expect(faults).not.toEqual([]);
        else {
          const [header, line] = linesOf(catalogue.writePaymentFile(format, batch, new Date(0)));
          expect(BigInt(columns(line, '226-239'))).toBe(unitsOf(amount, minorUnits(currency)!));
          expect(columns(line, '240-240')).toBe(String(minorUnits(currency)));
          expect(columns(header, '318-320')).toBe(currency);
        }
      }),
      { numRuns: 300 },
    );
  });
});
