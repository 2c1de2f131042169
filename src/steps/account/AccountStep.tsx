import type { ActorRefFrom } from 'xstate';
import type { accountMachine } from '#machines/account.machine.ts';
import { FormFields } from '../kit/FormFields.tsx';
import { useForm } from '../useForm.ts';

/** The account form (spec, section 2: /createaccount). */
export default function AccountStep({ actor }: { actor: ActorRefFrom<typeof accountMachine> }) {
  return <FormFields {...useForm(actor)} submitLabel="Create Account" />;
}
