import type { Invoice } from '#server/programs/checks/evidence.ts';
import type { Credentials, Prepared, Sandbox } from '#server/sandbox/api.ts';

/** Bacs Standard 18, a file format of the same country as the situation. */
const fileFormatId = '6c51c4ba-17d8-483c-ab60-07a829f4f003';
const agent = { identification: '112233' };
const debtorAccount = { identification: '12345678', name: 'Example Ltd' };

/** Where a program pays: a company with an authorised subscription, a debtor and creditors. */
export interface Situation extends Prepared, Credentials {
  url: string;
}

/** Prepares a sandbox for a program that pays. */
export const prepare = (sandbox: Sandbox): Promise<Prepared> => sandbox.prepare('ten-creditors');

/**
 * Amounts that a floating-point number cannot hold, that it writes with an exponent from ten million on (1.0E7), or that end
 * in a nought; and currencies, of which a program may know one.
 */
const amounts = ['19.99', '0.29', '12345678.90', '10000000.00', '7.10'];
const currencies = ['GBP', 'EUR', 'GBP', 'GBP', 'EUR'];

/** Which invoices a scenario asks for. */
export interface Asked {
  /** The numbers of the first and of the one behind the last. */
  from: number;
  to: number;
  /** The words in the creditors' names, by number, by which something becomes of their payments (docs/sandbox.md). */
  words?: readonly string[] | undefined;
  /** Whether all have the same amount, and those of two runs the same creditors: only their references differ. */
  alike?: boolean | undefined;
  /** Whether all have the same creditor. */
  toOne?: boolean | undefined;
  /** Whether the creditors' names have letters outside ASCII, signs that mean something to shells, and more than 35 characters. */
  foreign?: boolean | undefined;
  /** Whether they are paid in a bank file: to an account each, in the file's one currency. */
  byFile?: boolean | undefined;
}

/** What a service's invoices have in common. */
interface Terms {
  /** The currencies in turn; the first one where there is to be one. */
  currencies: readonly string[];
  /** The amounts in turn, and that of invoices that are alike. */
  amounts: readonly string[];
  same: string;
}

const sandboxTerms: Terms = { currencies, amounts, same: '0.10' };

/**
 * Returns invoices for some of the creditors, each with an id, a reference and, unless they are alike, a creditor and an
 * amount of its own.
 */
export const invoicesFor = (
  creditors: Prepared['creditors'],
  prefix: string,
  { from, to, words = [], alike, toOne, foreign, byFile }: Asked,
  { currencies: kinds, amounts: varied, same }: Terms = sandboxTerms,
): Invoice[] =>
  Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    const { creditorId, name } = creditors[(toOne ? 0 : alike ? index : number) % creditors.length]!; // within the list
    const id = `${prefix}-${number + 1}`;
    const creditorName = `${[name, words[number] ?? ''].join(' ').trim()}${foreign ? " & Zoë's Łódź fruit and vegetables" : ''}`;
    const amount = alike ? same : varied[number % varied.length]!; // within the list
    const currency = kinds[alike || byFile ? 0 : number % kinds.length]!; // within the list
    const account = byFile && { account: String(87_654_321 - number) };
    return { id, creditorId, creditorName, amount, currency, reference: `INV-${id}`, ...account };
  });

/** The content of the file of invoices. For a payment by bank file it has the members of the batch and of accounts. */
export const invoicesFile = (invoices: readonly Invoice[], byFile: boolean): object => ({
  ...(byFile && {
    file: {
      fileFormatId,
      debtorAgent: agent,
      debtorAccount,
      userIdentification: { name: 'EXAMPLE LTD' },
      additionalData: JSON.stringify({ serialNumber: '000001', serviceUserNumber: '123456' }),
    },
  }),
  invoices: invoices.map(({ account, ...invoice }) => ({
    ...invoice,
    ...(byFile && {
      creditorAgent: agent,
      creditorAccount: { identification: account, name: invoice.creditorName },
    }),
  })),
});
