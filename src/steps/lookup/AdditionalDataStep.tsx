import { Box, Button, Heading, Text } from '@chakra-ui/react';
import { useId, useState, type ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import {
  apiPaths,
  type additionalDataMachine,
  type ApiPath,
  previewOf,
} from '#machines/lookup/additionalData.machine.ts';
import { Bar, primaryMark } from '#ui/Bar.tsx';
import { ChoiceSelect } from '#ui/Choice.tsx';
import { EmptyState, FirstView } from '#ui/EmptyState.tsx';
import { StepTitle } from '#ui/StepTitle.tsx';
import { Way } from '#ui/Way.tsx';
import type { Form } from '#rules/field.ts';
import { FieldPages } from '#ui/FieldPages.tsx';
import { FillButton } from '#ui/BesideHeading.tsx';
import { useContextValues } from '../kit/useContextValues.ts';
import { useChange, useFill, useFilled } from '../useForm.ts';
import { Source } from './Source.tsx';
import { Patterns } from './Patterns.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { firings, Firings } from './Firings.tsx';

const way = (
  <Way
    label="Rules define a form, and the form the request body."
    places={[
      { title: 'Rules', lines: ['uiLabel', 'regex', 'optionality'] },
      { title: 'Form' },
      { title: 'Request', lines: ['{ "data": {', '  "additionalData"', '} }'] },
    ]}
    legs={[{}, {}]}
  />
);

/** Replaces the form while the rules define none. */
function NoFields({ actor }: { actor: ActorRefFrom<typeof additionalDataMachine> }) {
  const { rules, apiPath, providers } = useContextValues(actor, ...(['rules', 'apiPath', 'providers'] as const));
  const [first] = providers;
  if (rules.length > 0)
    return (
      <EmptyState reason="Choose another form, or other rules.">
        The form of these rules. They have no fields for {apiPath}.
      </EmptyState>
    );
  return (
    <FirstView way={way} says="The form of a provider’s rules, and its request body. Nothing is sent.">
      {first ? (
        <Button
          variant="solid"
          {...primaryMark}
          onClick={() => actor.send({ type: 'provider.choose', providerId: first.providerId })}
        >
          Use {first.name}
        </Button>
      ) : (
        <Text color="fg.muted">There are no providers: paste rules.</Text>
      )}
    </FirstView>
  );
}

/** The request body that the form produces, and the rules that it violates. */
function Preview({ context }: { context: Parameters<typeof previewOf>[0] & Parameters<typeof firings>[0] }) {
  return (
    <>
      <JsonView value={previewOf(context)} what="request body" />
      <Firings firings={firings(context)} />
    </>
  );
}

// Not needed until rules are chosen.

const paths = apiPaths.map((value) => ({ value, label: value }));

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Stack as="section" aria-labelledby={id} gap="3" alignContent="start" minWidth="0">
      <Heading as="h2" id={id}>
        {title}
      </Heading>
      {children}
    </Stack>
  );
}

/** Ids of the fields changed since `form` was built, and a function that adds one; only their errors are shown. */
function useChanged(form: Form): [ReadonlySet<string>, (field: string) => void] {
  const [state, setState] = useState({ form, changed: new Set<string>() });
  const now = state.form === form ? state.changed : new Set<string>();
  return [now, (field) => setState({ form, changed: new Set([...now, field]) })];
}

/** The rule playground: a choice of rules, and the form built from them, beside the request body that it produces. */
export function AdditionalDataStep({ actor }: { actor: ActorRefFrom<typeof additionalDataMachine> }) {
  const shown = useContextValues(
    actor,
    ...(['form', 'values', 'errors', 'rules', 'apiPath', 'providers', 'providerId', 'pasteError'] as const),
  );
  const { form, values, errors, apiPath, providers, providerId, pasteError } = shown;
  const change = useChange(actor.send);
  const [changed, note] = useChanged(form);
  const id = useId();
  const fill = useFill(actor);
  const filled = useFilled({ form, values }, values, errors.length === 0, change);
  return (
    <Stack gap="6">
      {form.fields.length === 0 && <StepTitle />}
      <Section title="Rules">
        <Source
          providers={providers}
          providerId={providerId}
          pasteError={pasteError}
          onProvider={(chosen) => actor.send({ type: 'provider.choose', providerId: chosen })}
          onPaste={(text) => actor.send({ type: 'rules.paste', text })}
        >
          <ChoiceSelect
            label="Form for"
            options={paths}
            value={apiPath}
            onChange={(value) => actor.send({ type: 'path.choose', apiPath: value as ApiPath })} // one of the options
          />
        </Source>
      </Section>
      <FillButton onFill={fill} filled={filled} />
      <Box
        display="grid"
        gap={{ base: '6', md: '8' }}
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }}
      >
        <Section title="Form">
          {form.fields.length === 0 && <NoFields actor={actor} />}
          <FieldPages
            fields={form.fields}
            values={values}
            errors={errors.filter((error) => changed.has(error.id))}
            controlOf={(field) => id + field}
            onChange={(field, value) => {
              note(field);
              change(field, value);
            }}
          />
        </Section>
        {form.fields.length > 0 && (
          <Section title="Request preview">
            <Preview context={shown} />
          </Section>
        )}
      </Box>
      {form.fields.length > 0 && (
        <Section title="Patterns">
          <Patterns fields={form.fields} />
        </Section>
      )}
      <Bar leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]} />
    </Stack>
  );
}
