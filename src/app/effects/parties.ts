import type { Creditor, Debtor } from '#contract/party.ts';
import { call } from '../client/client.ts';

export interface Parties {
  debtors: readonly Debtor[];
  creditors: readonly Creditor[];
}

export const noParties: Parties = { debtors: [], creditors: [] };

/** Stored debtors and creditors of the current subscription; empty lists if they cannot be read. */
export async function readParties(signal: AbortSignal): Promise<Parties> {
  const none = () => ({ data: [] });
  const [debtors, creditors] = await Promise.all([
    call('getDebtors', { signal }).catch(none),
    call('getCreditors', { signal }).catch(none),
  ]);
  return { debtors: debtors.data, creditors: creditors.data };
}
