import { Flex } from '@chakra-ui/react';
import { Choice } from '#ui/Choice.tsx';
import { FieldHint, FieldLabel, FieldRoot, Switch } from '#ui/Field.tsx';

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
    <FieldRoot>
      <FieldLabel>{label}</FieldLabel>
      <Choice
        options={shown.map((option) => ({ value: option, label: option || none }))}
        value={value}
        onChange={onChange}
      />
      <FieldHint>{hint}</FieldHint>
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
