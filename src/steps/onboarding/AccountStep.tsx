import type { ActorRefFrom } from 'xstate';
import type { accountMachine } from '#machines/onboarding/account.machine.ts';
import { Another } from '../Another.tsx';
import { FormFields } from '#ui/FormFields.tsx';
import { useForm } from '../useForm.ts';

/** The account form (behaviour, section 2: /createaccount). */
export function AccountStep({ actor }: { actor: ActorRefFrom<typeof accountMachine> }) {
  return (
    <Another actor={actor} what="account" form={<FormFields {...useForm(actor)} submitLabel="Create account" />}>
      Another account takes its place for what is created next. This one stays with the service, and can be used again.
    </Another>
  );
}
