import { Box, Flex, Text } from '@chakra-ui/react';
import type { FieldError as Wrong } from '#rules/fieldError.ts';
import type { Field, Form, Values } from '#rules/field.ts';
import { happeningIn } from '#rules/labForms.ts';
import { Choice } from '#ui/Choice.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { Checkbox, FieldError, FieldHint, FieldLabel, FieldRoot, Input } from '#ui/Field.tsx';

/** What a form passes to the layout of its fields. */
export interface LayoutProps {
  form: Form;
  values: Values;
  errors: readonly Wrong[];
  controlOf: (field: string) => string;
  onChange: (field: string, value: string) => void;
}

const widths: Readonly<Record<string, string>> = { place: '22rem', kind: '16rem', often: '12rem' };
const widthOf = ({ id, longest }: Field): string => widths[id] ?? (longest === undefined ? '7rem' : '16rem');

/** The fields that say how likely a fault is; they have a line of their own. */
const chances = ['chance', 'probability', 'seed'];

function Part({ field, ...form }: { field: Field } & LayoutProps) {
  const { values, errors, controlOf, onChange } = form;
  const { id, kind, label, description, options } = field;
  const value = values[id] ?? '';
  const error = errors.find((each) => each.id === id)?.message;
  const change = (changed: string) => onChange(id, changed);
  return (
    <FieldRoot
      id={controlOf(id)}
      data-field={id}
      invalid={error !== undefined}
      required={field.required}
      width={kind === 'boolean' ? 'auto' : widthOf(field)}
      maxWidth="full"
    >
      {kind === 'choice' ? (
        <>
          <Box srOnly>
            <FieldLabel>{label}</FieldLabel>
          </Box>
          <Choice options={options} value={value} onChange={change} />
        </>
      ) : kind === 'boolean' ? (
        <Flex gap="2" align="center">
          <Checkbox checked={value === 'true'} onChange={(event) => change(String(event.target.checked))} />
          <FieldLabel>{label}</FieldLabel>
        </Flex>
      ) : (
        <>
          <Input value={value} autoComplete="off" onChange={(event) => change(event.target.value)} />
          <FieldLabel>{label}</FieldLabel>
          {description && <FieldHint>{description}</FieldHint>}
        </>
      )}
      <FieldError>{error}</FieldError>
    </FieldRoot>
  );
}

const Word = ({ children }: { children: string }) => (
  <Flex as="span" fontSize="lg" minHeight="9" align="center">
    {children}
  </Flex>
);

/** The fields of a fault as a sentence with choices: "When [create batch] is called: [Response lost] [the next time]". */
export function FaultSentence(props: LayoutProps) {
  const { fields } = props.form;
  const of = (belongs: (field: Field) => boolean) =>
    fields.filter(belongs).map((field) => <Part key={field.id} {...props} field={field} />);
  const kind = fields.find(({ id }) => id === 'kind');
  return (
    <Stack gap="3">
      <Flex columnGap="2" rowGap="2" wrap="wrap" align="start">
        <Word>When</Word>
        {of(({ id }) => id === 'place')}
        <Word>{`${happeningIn(props.values)}:`}</Word>
        {of(({ id }) => id !== 'place' && !chances.includes(id))}
      </Flex>
      {kind?.description && (
        <Text fontSize="sm" color="fg.muted">
          {kind.description}
        </Text>
      )}
      <Flex columnGap="4" rowGap="2" wrap="wrap" align="start">
        {of(({ id }) => chances.includes(id))}
      </Flex>
    </Stack>
  );
}
