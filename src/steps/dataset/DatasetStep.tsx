import type { ActorRefFrom } from 'xstate';
import type { datasetMachine } from '#machines/dataset.machine.ts';
import { FormFields } from '../kit/FormFields.tsx';
import { useForm } from '../useForm.ts';

/** The data set form (spec, section 2: /createdataset). */
export default function DatasetStep({ actor }: { actor: ActorRefFrom<typeof datasetMachine> }) {
  return <FormFields {...useForm(actor)} submitLabel="Create DataSet" />;
}
