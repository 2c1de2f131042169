import type { organisationMachine } from '#machines/onboarding/organisation.machine.ts';
import { Another } from '../Another.tsx';
import { FormFields } from '#ui/FormFields.tsx';
import type { StepProps } from '../step.ts';
import { useForm } from '../useForm.ts';
import type { companyMachine } from '#machines/onboarding/company.machine.ts';
import type { accountMachine } from '#machines/onboarding/account.machine.ts';
import type { datasetMachine } from '#machines/onboarding/dataset.machine.ts';

/** The organisation form (behaviour, section 2: /createorganisation). */
export function OrganisationStep({ actor }: StepProps<typeof organisationMachine>) {
  return (
    <Another
      actor={actor}
      what="organisation"
      form={<FormFields {...useForm(actor)} submitLabel="Create organisation" />}
    >
      Creating another starts empty; this one stays in Workspace.
    </Another>
  );
}

/** The company form (behaviour, section 2: /createcompany). */
export function CompanyStep({ actor }: StepProps<typeof companyMachine>) {
  return (
    <Another actor={actor} what="company" form={<FormFields {...useForm(actor)} submitLabel="Create company" />}>
      Creating another starts empty; this one stays in Workspace.
    </Another>
  );
}

/** The account form (behaviour, section 2: /createaccount). */
export function AccountStep({ actor }: StepProps<typeof accountMachine>) {
  return (
    <Another actor={actor} what="account" form={<FormFields {...useForm(actor)} submitLabel="Create account" />}>
      Creating another replaces this one here; it stays at the service.
    </Another>
  );
}

/** The data set form (behaviour, section 2: /createdataset). */
export function DatasetStep({ actor }: StepProps<typeof datasetMachine>) {
  return (
    <Another actor={actor} what="dataset" form={<FormFields {...useForm(actor)} submitLabel="Create data set" />}>
      Creating another replaces this one here; it stays at the service.
    </Another>
  );
}
