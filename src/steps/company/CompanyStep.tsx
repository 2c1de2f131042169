import type { ActorRefFrom } from 'xstate';
import type { companyMachine } from '#machines/company.machine.ts';
import { FormFields } from '../kit/FormFields.tsx';
import { useForm } from '../useForm.ts';

/** The company form (spec, section 2: /createcompany). */
export default function CompanyStep({ actor }: { actor: ActorRefFrom<typeof companyMachine> }) {
  return <FormFields {...useForm(actor)} submitLabel="Create Company" />;
}
