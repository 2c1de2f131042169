import type { organisationMachine } from '#machines/onboarding/organisation.machine.ts';
import { FormFields } from '#ui/FormFields.tsx';
import type { StepProps } from '../step.ts';
import { useForm } from '../useForm.ts';
import type { companyMachine } from '#machines/onboarding/company.machine.ts';
import type { accountMachine } from '#machines/onboarding/account.machine.ts';
import type { datasetMachine } from '#machines/onboarding/dataset.machine.ts';

/** The organisation form (behaviour, section 2: /createorganisation). */
export function OrganisationStep({ actor }: StepProps<typeof organisationMachine>) {
  return <FormFields {...useForm(actor)} submitLabel="Create organisation" />;
}

/** The company form (behaviour, section 2: /createcompany). */
export function CompanyStep({ actor }: StepProps<typeof companyMachine>) {
  return <FormFields {...useForm(actor)} submitLabel="Create company" />;
}

/** The account form (behaviour, section 2: /createaccount). */
export function AccountStep({ actor }: StepProps<typeof accountMachine>) {
  return <FormFields {...useForm(actor)} submitLabel="Create account" />;
}

/** The data set form (behaviour, section 2: /createdataset). */
export function DatasetStep({ actor }: StepProps<typeof datasetMachine>) {
  return <FormFields {...useForm(actor)} submitLabel="Create data set" />;
}
