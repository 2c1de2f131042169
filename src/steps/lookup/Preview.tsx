import type { ContextFrom } from 'xstate';
import { previewOf, type additionalDataMachine } from '#machines/lookup/additionalData.machine.ts';
import { JsonView } from '../kit/JsonView.tsx';
import { firings, Firings } from './Firings.tsx';

/** The body that the form makes, and the rules that it breaks. */
export function Preview({ context }: { context: ContextFrom<typeof additionalDataMachine> }) {
  return (
    <>
      <JsonView value={previewOf(context)} what="body" />
      <Firings firings={firings(context)} />
    </>
  );
}
