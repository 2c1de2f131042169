import { Box, chakra, Heading } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useId, type ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import {
  apiPaths,
  previewOf,
  type additionalDataMachine,
  type ApiPath,
} from '#machines/lookup/additionalData.machine.ts';
import { Bar } from '../kit/Bar.tsx';
import { ChoiceSelect } from '../kit/Choice.tsx';
import { EmptyState } from '../kit/Details.tsx';
import { FieldPages } from '../kit/FieldPages.tsx';
import { JsonView } from '../kit/JsonView.tsx';
import { useChange } from '../useForm.ts';
import { firings, Firings } from './Firings.tsx';
import { Patterns } from './Patterns.tsx';
import { Source } from './Source.tsx';

const paths = apiPaths.map((value) => ({ value, label: value }));

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <chakra.section
      aria-labelledby={id}
      display="grid"
      gap="3"
      alignContent="start"
      minWidth="0"
      gridTemplateColumns="minmax(0, 1fr)"
    >
      <Heading as="h2" id={id}>
        {title}
      </Heading>
      {children}
    </chakra.section>
  );
}

/** The rule playground: rules, the form that they make, which of them fire, and what would be sent. */
export default function AdditionalDataStep({ actor }: { actor: ActorRefFrom<typeof additionalDataMachine> }) {
  const context = useSelector(actor, (snapshot) => snapshot.context);
  const { form, values, errors, providers, providerId, pasteError, apiPath } = context;
  const onChange = useChange(actor.send);
  const id = useId();
  return (
    <Box display="grid" gap="6" gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}>
      <Section title="Rules">
        <Source
          providers={providers}
          providerId={providerId}
          pasteError={pasteError}
          onProvider={(chosen) => actor.send({ type: 'provider.choose', providerId: chosen })}
          onPaste={(text) => actor.send({ type: 'rules.paste', text })}
        />
        <ChoiceSelect
          label="Form for"
          options={paths}
          value={apiPath}
          onChange={(value) => actor.send({ type: 'path.choose', apiPath: value as ApiPath })} // one of the options
        />
      </Section>
      <Section title="Form">
        {form.fields.length === 0 && <EmptyState>The form that the rules make for {apiPath} appears here.</EmptyState>}
        <FieldPages
          fields={form.fields}
          values={values}
          errors={errors}
          controlOf={(field) => id + field}
          onChange={onChange}
        />
      </Section>
      {form.fields.length > 0 && (
        <>
          <Section title="What would be sent">
            <Firings firings={firings(context)} />
            <JsonView value={previewOf(context)} what="body" />
          </Section>
          <Section title="Patterns">
            <Patterns fields={form.fields} />
          </Section>
        </>
      )}
      <Bar leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]} />
    </Box>
  );
}
