import type { Invoice } from '#server/programs/checks/evidence.ts';
import type { Credentials, Prepared, Sandbox } from '#server/sandbox/api.ts';

/** Bacs Standard 18, a file format of the same country as the situation. */
const fileFormatId = '6c51c4ba-17d8-483c-ab60-07a829f4f003';
const agent = { identification: '112233' };
const debtorAccount = { identification: '12345678', name: 'Example Ltd' };

/** Where a program pays: a company with an authorised subscription, a debtor and creditors. */
export interface Situation extends Prepared, Credentials {
  url: string;
  /** Seconds that the program should wait for a response. */
  responseTime: number;
}

/** Prepares a sandbox for a program that pays. */
export const prepare = async (sandbox: Sandbox, responseTime: number): Promise<Situation> => ({
  ...sandbox.credentials,
  ...(await sandbox.prepare('ten-creditors')),
  url: sandbox.url,
  responseTime,
});

/**
 * Returns invoices for some of the creditors, each with an id and an amount of its own. The payment of a failing invoice
 * fails at the bank, because of a magic word in its creditor's name (docs/sandbox.md).
 */
export const invoicesFor = (
  { creditors }: Prepared,
  prefix: string,
  { from, to, failing }: { from: number; to: number; failing?: number | undefined },
): Invoice[] =>
  creditors.slice(from, to).map(({ creditorId, name }, index) => {
    const id = `${prefix}-${from + index + 1}`;
    const creditorName = from + index === failing ? `${name} fails` : name;
    return { id, creditorId, creditorName, amount: `${120 + 7 * (from + index)}.50`, currency: 'GBP', reference: id };
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
  invoices: invoices.map((invoice) => ({
    ...invoice,
    ...(byFile && {
      creditorAgent: agent,
      creditorAccount: { identification: '87654321', name: invoice.creditorName },
    }),
  })),
});
