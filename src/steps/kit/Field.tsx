import { chakra } from '@chakra-ui/react';
import { createContext, use, useId, useMemo, type ComponentProps, type ReactNode } from 'react';

/** What the parts of a field say of its control. */
interface Parts {
  control: string;
  hint: string;
  error: string;
  invalid: boolean;
  required: boolean;
  disabled: boolean;
}

const Parts = createContext<Parts | null>(null);

const FieldBox = chakra('div', {
  base: { display: 'flex', flexDirection: 'column', gap: '1', width: 'full', minWidth: '0', overflowWrap: 'anywhere' },
});
const LabelText = chakra('label', {
  base: { fontSize: 'sm', fontWeight: 'medium', width: 'label', maxWidth: 'full' },
});
const HintText = chakra('span', { base: { color: 'fg.muted', fontSize: 'xs', lineHeight: 'xs' } });
const ErrorMessage = chakra('span', { base: { color: 'failed', fontWeight: 'medium' } });

interface FieldProps extends ComponentProps<typeof FieldBox> {
  invalid?: boolean;
  required?: boolean;
  disabled?: boolean;
}

/**
 * A control with its label, hint and error; `id` is the control's. Chakra's own field is of a library that weighs 5 kB
 * and watches every field's elements.
 */
export function FieldRoot({ id, invalid = false, required = false, disabled = false, ...box }: FieldProps) {
  const own = useId();
  const control = id ?? own;
  const parts = useMemo(
    () => ({ control, hint: `${control}-hint`, error: `${control}-error`, invalid, required, disabled }),
    [control, invalid, required, disabled],
  );
  return (
    <Parts value={parts}>
      <FieldBox {...box} />
    </Parts>
  );
}

export const FieldLabel = ({ children }: { children: ReactNode }) => (
  <LabelText htmlFor={use(Parts)?.control}>{children}</LabelText>
);

export const FieldHint = ({ children }: { children: ReactNode }) => (
  <HintText id={use(Parts)?.hint}>{children}</HintText>
);

/** The error, while the field is in error; announced when it changes. */
export function FieldError({ lang, children }: { lang?: string | undefined; children: ReactNode }) {
  const parts = use(Parts);
  if (!parts?.invalid) return null;
  return (
    <ErrorMessage id={parts.error} aria-live="polite" lang={lang}>
      {children}
    </ErrorMessage>
  );
}

/**
 * What a control says of its field. aria-errormessage alone is not announced by every screen reader, so that the error
 * is part of the description; an id that is not on the page describes nothing.
 */
function useControl() {
  const parts = use(Parts);
  if (!parts) return {};
  const { control, hint, error, invalid, required, disabled } = parts;
  return {
    id: control,
    required,
    disabled,
    'aria-describedby': `${error} ${hint}`,
    ...(invalid && { 'aria-invalid': true, 'aria-errormessage': error }),
  };
}

const look = {
  base: {
    width: 'full',
    minWidth: '0',
    height: '9',
    px: '3',
    appearance: 'none',
    fontSize: 'md',
    bg: 'bg',
    color: 'fg',
    borderWidth: '1px',
    borderColor: 'border.control',
    borderRadius: 'md',
    _invalid: { borderColor: 'failed' },
  },
} as const;
const InputBox = chakra('input', look);
const TextareaBox = chakra('textarea', { base: { ...look.base, height: 'auto', py: '1.5' } });
const CheckboxBox = chakra('input', { base: { width: '4', height: '4', accentColor: 'accent' } });

/** Controls; within a field its label names them. */
export const Input = (props: ComponentProps<typeof InputBox>) => <InputBox {...useControl()} {...props} />;
export const Textarea = (props: ComponentProps<typeof TextareaBox>) => <TextareaBox {...useControl()} {...props} />;
export const Checkbox = (props: ComponentProps<typeof CheckboxBox>) => (
  <CheckboxBox type="checkbox" {...useControl()} {...props} />
);
