import { Field, Flex, Input } from '@chakra-ui/react';
import { Choice } from '../kit/Choice.tsx';

interface ControlProps {
  label: string;
  hint: string;
  value: string;
  onChange: (value: string) => void;
}

/** A setting chosen from a list; `none` labels the value ''. A stored value missing from `options` is shown as well. */
export function SettingSelect(props: ControlProps & { options: readonly string[]; none: string }) {
  const { label, hint, value, onChange, options, none } = props;
  const shown = options.includes(value) ? options : [value, ...options];
  return (
    <Field.Root>
      <Field.Label>{label}</Field.Label>
      <Choice
        options={shown.map((option) => ({ value: option, label: option || none }))}
        value={value}
        onChange={onChange}
      />
      <Field.HelperText>{hint}</Field.HelperText>
    </Field.Root>
  );
}

/** A setting that is on or off, stored as the text 'true' or 'false' (behaviour, section 9). */
export function SettingSwitch({ label, hint, value, onChange }: ControlProps) {
  return (
    <Field.Root>
      <Flex gap="2" align="center">
        <Input
          type="checkbox"
          role="switch"
          unstyled
          width="4"
          height="4"
          accentColor="accent"
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.target.checked))}
        />
        <Field.Label>{label}</Field.Label>
      </Flex>
      <Field.HelperText>{hint}</Field.HelperText>
    </Field.Root>
  );
}
