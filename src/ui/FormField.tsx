import { chakra, Box, Flex } from '@chakra-ui/react';
import { memo } from 'react';
import { isBlank } from '#contract/text.ts';
import type { Field, Values } from '#rules/field.ts';
import { noteOn } from '#rules/pattern.ts';
import { Code } from './Code.tsx';
import { Choice } from './Choice.tsx';
import { Checkbox, FieldError, FieldHint, FieldLabel, FieldRoot, Input, Textarea } from './Field.tsx';

/** Maximum length, in characters, of an example or option label that fits into half a line. */
const half = 18;

/** Whether the field fits into half a line: a code, a number, a choice with short labels. */
export function isShort({ kind, example, options }: Field): boolean {
  if (kind === 'boolean') return false;
  if (kind === 'choice') return options.every(({ label }) => label.length <= half);
  return example !== '' && example.length <= half && !example.includes('@');
}

/** Whether the field contains a code, shown in a monospaced font: its example has a digit and no lower-case word. */
const isCode = ({ kind, example }: Field): boolean =>
  kind === 'text' && /\d/.test(example) && !/[a-z]{3}/.test(example);

/** Whether the field has a value; an unticked checkbox has none. */
export function isGiven({ id, kind }: Field, values: Values): boolean {
  const value = (Object.hasOwn(values, id) && values[id]) || '';
  return kind === 'boolean' ? value === 'true' : !isBlank(value);
}

interface ControlProps {
  field: Field;
  value: string;
  onChange: (value: string) => void;
}

function Ticked({ value, onChange }: ControlProps) {
  return <Checkbox checked={value === 'true'} onChange={(event) => onChange(String(event.target.checked))} />;
}

function Text({ field, value, onChange }: ControlProps) {
  if (field.lines !== undefined)
    return (
      <Textarea
        value={value}
        rows={field.lines}
        fontFamily="mono"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <Input
      value={value}
      {...(isCode(field) && { fontFamily: 'mono', spellCheck: false })}
      // Browsers ignore "off" for a password, and would store it as that of the field before it.
      {...(field.secret
        ? { type: 'password', name: field.id, autoComplete: 'new-password' }
        : { type: 'text', autoComplete: 'off' })}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Select({ field, value, onChange }: ControlProps) {
  return (
    <Choice
      options={field.options}
      value={value}
      onChange={onChange}
      lang={field.lang}
      empty={field.required ? 'Choose one' : 'None'}
    />
  );
}

const controls = { text: Text, boolean: Ticked, choice: Select };

/** A rule's text in its language; isolated, so that right-to-left text does not reorder the text beside it. */
const Said = ({ lang, children }: { lang: string | undefined; children: string }) => (
  <chakra.span lang={lang} unicodeBidi="isolate">
    {children}
  </chakra.span>
);

function Hint({ field, value }: Pick<ControlProps, 'field' | 'value'>) {
  const { description, example, kind, lang, regex } = field;
  const note = field.note ?? noteOn(regex, value);
  // A checkbox needs no example, nor does a field that holds it.
  const typed = kind === 'boolean' || value === example ? '' : example;
  if (!description && !typed && !note) return null;
  return (
    <FieldHint>
      {description && <Said lang={lang}>{description}</Said>}
      {typed && (
        <>
          {description && '; '}for example <Code unicodeBidi="isolate">{typed}</Code>
        </>
      )}
      {note && (
        <Box as="span" display="block" color="accent">
          {note}
        </Box>
      )}
    </FieldHint>
  );
}

/** The language of a field's error message; undefined for the console's own messages, which are in English. */
export const messageLang = ({ lang, ownMessage }: Field): string | undefined => (ownMessage ? lang : undefined);

interface FormFieldProps extends Pick<ControlProps, 'field' | 'value'> {
  /** DOM id of the control. */
  id: string;
  error: string | undefined;
  /** Receives the field's id and its new value. Must be a stable function, or every field renders on each change. */
  onChange: (field: string, value: string) => void;
}

/** One field: label, control, and the hint (description, example and note), which an error replaces (behaviour, section 10.3). */
export const FormField = memo(function FormField({ id, field, value, error, onChange }: FormFieldProps) {
  const Control = controls[field.kind];
  const label = (
    <FieldLabel>
      <Said lang={field.lang}>{field.label}</Said>
      {!field.required && field.kind !== 'boolean' && ' (optional)'}
    </FieldLabel>
  );
  const control = <Control field={field} value={value} onChange={(changed) => onChange(field.id, changed)} />;
  return (
    <FieldRoot
      id={id}
      data-field={field.id}
      invalid={error !== undefined}
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
      {error === undefined && <Hint field={field} value={value} />}
      <FieldError lang={messageLang(field)}>{error}</FieldError>
    </FieldRoot>
  );
});
