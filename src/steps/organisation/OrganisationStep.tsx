import type { organisationMachine } from '#machines/organisation.machine.ts';
import { FormFields } from '../kit/FormFields.tsx';
import type { StepProps } from '../steps.ts';
import { useForm } from '../useForm.ts';

/** The organisation form (spec, section 2: /createorganisation). */
export default function OrganisationStep({ actor }: StepProps<typeof organisationMachine>) {
  return <FormFields {...useForm(actor)} submitLabel="Create Organisation" />;
}
