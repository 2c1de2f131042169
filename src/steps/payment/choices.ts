import type { Debtor, FileFormat } from '#contract/entities.ts';
import { paymentChoices, paymentMessages } from '#machines/payment.ts';
import type { Field } from '#rules/field.ts';

/** A choice that no rule describes, as a field of the same form. */
const choice = (field: Pick<Field, 'id' | 'label' | 'description' | 'options' | 'errorMessage'>): Field => ({
  ...field,
  example: '',
  required: true,
  kind: 'choice',
  regex: '',
  paths: [],
});

export const accountName = (debtor: Debtor): string =>
  [debtor.debtorAccountname, debtor.debtorAgentidentification, debtor.debtorAccountidentification, debtor.currency]
    .filter((part) => part !== '')
    .join(' · ');

/** The bank accounts to pay from (spec, section 2). */
export const bankAccountField = (debtors: readonly Debtor[]): Field =>
  choice({
    id: paymentChoices.bankAccount,
    label: 'Bank account',
    description: 'The account that pays',
    options: debtors.map((debtor) => ({ value: debtor.debtorId, label: accountName(debtor) })),
    errorMessage: paymentMessages.noBankAccount,
  });

/** The templates of a bank file (spec, section 2: file payments). */
export const fileFormatField = (formats: readonly FileFormat[]): Field =>
  choice({
    id: 'fileFormat',
    label: 'Bank file template',
    description: 'How the bank wants its file; it decides which further data is asked for',
    options: formats.map(({ fileFormatId, name }) => ({ value: fileFormatId, label: name })),
    errorMessage: '',
  });
