import type { ContextFrom } from 'xstate';
import { previewOf, type additionalDataMachine } from '#machines/lookup/additionalData.machine.ts';
import { JsonView } from '#ui/JsonView.tsx';
import { firings, Firings } from './Firings.tsx';

/** The request body that the form produces, and the rules that it violates. */
export function Preview({ context }: { context: ContextFrom<typeof additionalDataMachine> }) {
  return (
    <>
      <JsonView value={previewOf(context)} what="body" />
      <Firings firings={firings(context)} />
    </>
  );
}
