import type { organisationMachine } from '#machines/onboarding/organisation.machine.ts';
import { Another } from '../Another.tsx';
import { FormFields } from '#ui/FormFields.tsx';
import type { StepProps } from '../step.ts';
import { useForm } from '../useForm.ts';

/** The organisation form (behaviour, section 2: /createorganisation). */
export function OrganisationStep({ actor }: StepProps<typeof organisationMachine>) {
  return (
    <Another
      actor={actor}
      what="organisation"
      form={<FormFields {...useForm(actor)} submitLabel="Create organisation" />}
    >
      Another organisation becomes the current one and begins without company. This one stays with its companies and all
      that belongs to them; the home page switches back to it.
    </Another>
  );
}
