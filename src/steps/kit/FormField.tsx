import { chakra, Box, Field as ChakraField, Flex, Input } from '@chakra-ui/react';
import { memo } from 'react';
import type { Field } from '#rules/field.ts';
import { Choice } from './Choice.tsx';
import { isCode } from './fieldLooks.ts';

interface ControlProps {
  id: string;
  field: Field;
  value: string;
  onChange: (value: string) => void;
  invalid: boolean;
  /** DOM ids of error and hint; aria-errormessage alone is not announced by every screen reader. */
  describedBy: string;
}

function Checkbox({ value, onChange, describedBy }: ControlProps) {
  return (
    <Input
      type="checkbox"
      unstyled
      width="4"
      height="4"
      accentColor="accent"
      aria-describedby={describedBy}
      checked={value === 'true'}
      onChange={(event) => onChange(String(event.target.checked))}
    />
  );
}

function Text({ field, value, onChange, describedBy }: ControlProps) {
  return (
    <Input
      value={value}
      type={field.secret ? 'password' : 'text'}
      {...(isCode(field) && { fontFamily: 'mono', spellCheck: false })}
      autoComplete="off"
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Select({ field, value, onChange, describedBy }: ControlProps) {
  return (
    <Choice
      options={field.options}
      value={value}
      onChange={onChange}
      describedBy={describedBy}
      lang={field.lang}
      empty={field.required ? 'Choose one' : 'None'}
    />
  );
}

const controls = { text: Text, boolean: Checkbox, choice: Select };

/** A rule's text in its language; isolated, so that right-to-left text does not reorder the text beside it. */
const Said = ({ lang, children }: { lang: string | undefined; children: string }) => (
  <chakra.span lang={lang} unicodeBidi="isolate">
    {children}
  </chakra.span>
);

function Hint({ field: { description, example, note, kind, lang } }: { field: Field }) {
  // An example is of no use for a checkbox.
  const typed = kind === 'boolean' ? '' : example;
  if (!description && !typed && !note) return null;
  return (
    <ChakraField.HelperText>
      {description && <Said lang={lang}>{description}</Said>}
      {typed && (
        <>
          {description && '; '}for example <chakra.code unicodeBidi="isolate">{typed}</chakra.code>
        </>
      )}
      {note && (
        <Box as="span" display="block" color="accent">
          {note}
        </Box>
      )}
    </ChakraField.HelperText>
  );
}

/** The language of a field's error message; undefined for the console's own messages, which are in English. */
export const messageLang = ({ lang, ownMessage }: Field): string | undefined => (ownMessage ? lang : undefined);

interface FormFieldProps extends Pick<ControlProps, 'id' | 'field' | 'value'> {
  error: string | undefined;
  /** Receives the field's id and its new value. Must be a stable function, or every field renders on each change. */
  onChange: (field: string, value: string) => void;
}

/** One field: label, control, hint (description, example and note) and error (behaviour, section 10.3). */
export const FormField = memo(function FormField({ id, field, value, error, onChange }: FormFieldProps) {
  // In Chakra's `ids`, `control` is the root.
  const ids = { control: `${id}-field`, helperText: `${id}-hint`, errorText: `${id}-error` };
  const invalid = error !== undefined;
  const Control = controls[field.kind];
  const label = (
    <ChakraField.Label>
      <Said lang={field.lang}>{field.label}</Said>
      {!field.required && field.kind !== 'boolean' && ' (optional)'}
    </ChakraField.Label>
  );
  const control = (
    <Control
      id={id}
      field={field}
      value={value}
      invalid={invalid}
      describedBy={`${ids.errorText} ${ids.helperText}`}
      onChange={(changed) => onChange(field.id, changed)}
    />
  );
  return (
    <ChakraField.Root
      id={id}
      ids={ids}
      data-field={field.id}
      role="none"
      invalid={invalid}
      required={field.required && field.kind !== 'boolean'}
    >
      {field.kind === 'boolean' ? (
        <Flex gap="2" align="center">
          {control}
          {label}
        </Flex>
      ) : (
        <>
          {label}
          {control}
        </>
      )}
      <Hint field={field} />
      <ChakraField.ErrorText lang={messageLang(field)}>{error}</ChakraField.ErrorText>
    </ChakraField.Root>
  );
});
