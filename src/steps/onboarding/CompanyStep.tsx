import type { ActorRefFrom } from 'xstate';
import type { companyMachine } from '#machines/onboarding/company.machine.ts';
import { Another } from '../Another.tsx';
import { FormFields } from '#ui/FormFields.tsx';
import { useForm } from '../useForm.ts';

/** The company form (behaviour, section 2: /createcompany). */
export function CompanyStep({ actor }: { actor: ActorRefFrom<typeof companyMachine> }) {
  return (
    <Another actor={actor} what="company" form={<FormFields {...useForm(actor)} submitLabel="Create company" />}>
      Another company of the same organisation becomes the current one and begins without account, data set,
      subscriptions, debtors, creditors and batches. This one keeps its own; the home page switches back to it.
    </Another>
  );
}
