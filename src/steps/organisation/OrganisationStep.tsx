import { useSelector } from '@xstate/react';
import type { organisationMachine } from '#machines/organisation.machine.ts';
import { FormFields } from '../kit/FormFields.tsx';
import type { StepProps } from '../steps.ts';

/** The organisation form (spec, section 2: /createorganisation). */
export default function OrganisationStep({ actor }: StepProps<typeof organisationMachine>) {
  const { form, values, errors } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  return (
    <FormFields
      form={form}
      values={values}
      errors={errors}
      busy={busy}
      submitLabel="Create Organisation"
      onChange={(field, value) => actor.send({ type: 'form.change', field, value })}
      onSubmit={() => actor.send({ type: 'form.submit' })}
      onCancel={() => actor.send({ type: 'form.cancel' })}
    />
  );
}
