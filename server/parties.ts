import { z } from 'zod';
import type { Creditor, Debtor } from '#contract/entities.ts';

const text = z.string().default('');
const account = z.object({ identification: text, secondaryIdentification: text, name: text }).prefault({});
const agent = z.object({ identification: text }).prefault({});
const address = z
  .object({ addressLine1: text, addressLine3: text, countrySubdivision: text, countryCode: text, postalCode: text })
  .prefault({});

const debtorMessage = z.object({
  debtorId: z.string(),
  subscriptionId: z.string(),
  debtorAgent: agent,
  debtorAccount: account,
  currency: text,
});
const creditorMessage = z.object({
  creditorId: z.string(),
  subscriptionId: z.string(),
  creditor: z.object({ name: text, postalAddress: address }).prefault({}),
  creditorAgent: agent,
  creditorAccount: account,
});

/** The flat debtor (spec, section 3) of a nested message body; what the body lacks is ''. Throws ZodError. */
export function debtorOf(data: unknown): Debtor {
  const { debtorId, subscriptionId, debtorAgent, debtorAccount, currency } = debtorMessage.parse(data);
  return {
    debtorId,
    subscriptionId,
    currency,
    debtorAccountname: debtorAccount.name,
    debtorAgentidentification: debtorAgent.identification,
    debtorAccountidentification: debtorAccount.identification,
  };
}

/** The flat creditor of a nested message body; the address parts map as upstream-api, section 5.3 says. Throws ZodError. */
export function creditorOf(data: unknown): Creditor {
  const { creditorId, subscriptionId, creditor, creditorAgent, creditorAccount } = creditorMessage.parse(data);
  const { addressLine1, addressLine3, countrySubdivision, countryCode, postalCode } = creditor.postalAddress;
  return {
    creditorId,
    subscriptionId,
    creditorname: creditor.name,
    creditorAgentidentification: creditorAgent.identification,
    creditorAccountidentification: creditorAccount.identification,
    creditorAccountSecondaryIdentification: creditorAccount.secondaryIdentification,
    creditorAddress1: addressLine1,
    creditorAddress3: addressLine3,
    creditorCountrySubDivision: countrySubdivision,
    creditorCountryCode: countryCode,
    creditorPostalCode: postalCode,
  };
}
