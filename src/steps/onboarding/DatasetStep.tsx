import type { ActorRefFrom } from 'xstate';
import type { datasetMachine } from '#machines/onboarding/dataset.machine.ts';
import { Another } from '../Another.tsx';
import { FormFields } from '#ui/FormFields.tsx';
import { useForm } from '../useForm.ts';

/** The data set form (behaviour, section 2: /createdataset). */
export function DatasetStep({ actor }: { actor: ActorRefFrom<typeof datasetMachine> }) {
  return (
    <Another actor={actor} what="dataset" form={<FormFields {...useForm(actor)} submitLabel="Create data set" />}>
      Another data set takes its place. This one stays with the service, and can be used again.
    </Another>
  );
}
