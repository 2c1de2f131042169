import { batch, creditor, debtor, type RuleDefinition } from './definition.ts';
import type { CountryWords } from '#server/sandbox/catalogue/wording/country.ts';

/** The paying bank account (behaviour, section 3: debtor). */
export const debtorRules = (words: CountryWords): RuleDefinition[] => [
  debtor.required('debtorAccount.name', words.accountName),
  debtor.required('debtorAgent.identification', words.agent),
  debtor.required('debtorAccount.identification', words.account),
  debtor.required('currency', words.currency),
];

/** The payee (behaviour, section 3: creditor). */
export const creditorRules = (words: CountryWords): RuleDefinition[] => [
  creditor.required('creditor.name', words.payeeName),
  creditor.required('creditorAgent.identification', words.agent),
  creditor.required('creditorAccount.identification', words.account),
  creditor.optional('creditorAccount.secondaryIdentification', words.secondaryIdentification),
  ...addressRules(words, 'optional'),
];

export const addressRules = (words: CountryWords, optionality: 'required' | 'optional'): RuleDefinition[] => [
  creditor[optionality]('creditor.postalAddress.addressLine1', words.addressLine1),
  creditor[optionality]('creditor.postalAddress.addressLine3', words.addressLine3),
  creditor.optional('creditor.postalAddress.countrySubdivision', words.countrySubdivision),
  creditor[optionality]('creditor.postalAddress.countryCode', words.countryCode),
  creditor[optionality]('creditor.postalAddress.postalCode', words.postalCode),
];

/** The payment: its amount, and the information for the payee. */
export const paymentRules = (words: CountryWords): RuleDefinition[] => [
  batch.required('payments.instructedAmount.amount', words.amount),
  batch.required('payments.instructedAmount.currency', words.currency),
  batch.optional('payments.remittanceInformation.reference', words.reference),
];
