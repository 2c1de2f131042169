import type {
  organisationMachine,
  companyMachine,
  accountMachine,
  datasetMachine,
} from '#machines/onboarding/forms.machine.ts';
import { FormFields } from '#ui/FormFields.tsx';
import type { StepProps } from '../step.ts';
import { useForm } from '../useForm.ts';

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
