import { Flex } from '@chakra-ui/react';
import { Choice } from '#ui/Choice.tsx';
import { FieldError, FieldHint, FieldLabel, FieldRoot, Switch } from '#ui/Field.tsx';

interface ControlProps {
  label: string;
  hint: string;
  value: string;
  onChange: (value: string) => void;
}

interface SelectProps extends ControlProps {
  /** DOM id of the control. */
  id: string;
  options: readonly string[];
  /** How a value is shown; by default as it is. */
  nameOf?: (value: string) => string;
  /** Labels the value ''. */
  none: string;
  /** What is wrong with the value, in place of the hint; '' if nothing. */
  error: string;
}

/** A setting chosen from a list. A stored value missing from `options` is shown as well. */
export function SettingSelect({
  id,
  label,
  hint,
  value,
  onChange,
  options,
  nameOf = String,
  none,
  error,
}: SelectProps) {
  const shown = options.includes(value) ? options : [value, ...options];
  return (
    <FieldRoot id={id} invalid={error !== ''}>
      <FieldLabel>{label}</FieldLabel>
      <Choice
        options={shown.map((option) => ({ value: option, label: nameOf(option) || none }))}
        value={value}
        onChange={onChange}
      />
      {error === '' && <FieldHint>{hint}</FieldHint>}
      <FieldError>{error}</FieldError>
    </FieldRoot>
  );
}

/** A setting that is on or off, stored as the text 'true' or 'false' (behaviour, section 9). */
export function SettingSwitch({ label, hint, value, onChange }: ControlProps) {
  return (
    <FieldRoot>
      <Flex gap="2" align="center">
        <Switch checked={value === 'true'} onChange={(event) => onChange(String(event.target.checked))} />
        <FieldLabel>{label}</FieldLabel>
      </Flex>
      <FieldHint>{hint}</FieldHint>
    </FieldRoot>
  );
}
