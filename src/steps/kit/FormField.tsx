import { Box, Field as ChakraField, Flex, Input } from '@chakra-ui/react';
import type { Field } from '#rules/field.ts';
import { Choice } from './Choice.tsx';

interface ControlProps {
  field: Field;
  value: string;
  onChange: (value: string) => void;
}

function Hints({ field, error }: { field: Field; error: string | undefined }) {
  const { description, example, note } = field;
  return (
    <>
      {(description || example || note) && (
        <ChakraField.HelperText>
          {description}
          {example && (
            <>
              {description && '; '}for example <code>{example}</code>
            </>
          )}
          {note && <Box color="waiting">{note}</Box>}
        </ChakraField.HelperText>
      )}
      <ChakraField.ErrorText>{error}</ChakraField.ErrorText>
    </>
  );
}

/** One field: label above, control, then description, example, the field's note and its error (ux, rule 3). */
export function FormField(props: ControlProps & { id: string; error: string | undefined }) {
  const { id, field, value, error, onChange } = props;
  const ids = { control: id, helperText: `${id}-hint`, errorText: `${id}-error` };
  const optional = !field.required && field.kind !== 'boolean' && ' (optional)';
  if (field.kind === 'boolean')
    return (
      <ChakraField.Root ids={ids} invalid={error !== undefined}>
        <Flex gap="2" align="center">
          <Input
            type="checkbox"
            unstyled
            width="4"
            height="4"
            accentColor="accent"
            checked={value === 'true'}
            onChange={(event) => onChange(String(event.target.checked))}
          />
          <ChakraField.Label>{field.label}</ChakraField.Label>
        </Flex>
        <Hints field={field} error={error} />
      </ChakraField.Root>
    );
  return (
    <ChakraField.Root ids={ids} invalid={error !== undefined} required={field.required}>
      <ChakraField.Label>
        {field.label}
        {optional}
      </ChakraField.Label>
      {field.kind === 'choice' && (
        <Choice
          id={id}
          label={field.label}
          options={field.options}
          value={value}
          onChange={onChange}
          empty={field.required ? 'Choose one' : 'None'}
          invalid={error !== undefined}
          describedBy={error === undefined ? ids.helperText : `${ids.errorText} ${ids.helperText}`}
        />
      )}
      {field.kind === 'text' && (
        <Input value={value} autoComplete="off" onChange={(event) => onChange(event.target.value)} />
      )}
      <Hints field={field} error={error} />
    </ChakraField.Root>
  );
}
