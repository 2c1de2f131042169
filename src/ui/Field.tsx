import { Button, chakra, createRecipeContext, createSlotRecipeContext } from '@chakra-ui/react';
import type { HTMLChakraProps } from '@chakra-ui/react';
import { createContext, use, useId, useMemo, type ComponentProps, type ReactNode, type Ref } from 'react';
import { visuallyHidden } from './visuallyHidden.ts';

/** What the parts of a field know about its control. */
interface Parts {
  control: string;
  hint: string;
  error: string;
  invalid: boolean;
  required: boolean;
  disabled: boolean;
}

const Parts = createContext<Parts | null>(null);

const { withProvider, withContext } = createSlotRecipeContext({ key: 'field' });
const FieldBox = withProvider<HTMLDivElement, HTMLChakraProps<'div'>>('div', 'root');
const LabelText = withContext<HTMLLabelElement, HTMLChakraProps<'label'>>('label', 'label');
const HintText = withContext<HTMLSpanElement, HTMLChakraProps<'span'>>('span', 'helperText');
const ErrorMessage = withContext<HTMLSpanElement, HTMLChakraProps<'span'>>('span', 'errorText');

interface FieldProps extends ComponentProps<typeof FieldBox> {
  invalid?: boolean;
  required?: boolean;
  disabled?: boolean;
}

/**
 * A control with its label, hint and error; `id` is the control's. Replaces Chakra's own field, whose library has 5 kB
 * and observes the elements of every field.
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

/** Marks the label of a required field. The control itself tells assistive technology. */
export function FieldLabel({ children }: { children: ReactNode }) {
  const parts = use(Parts);
  return (
    <LabelText htmlFor={parts?.control} data-required={parts?.required ? '' : undefined}>
      {children}
    </LabelText>
  );
}

export const FieldHint = ({ children }: { children: ReactNode }) => (
  <HintText id={use(Parts)?.hint}>{children}</HintText>
);

/** The field's error, if any; announced when it changes. */
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
 * The ARIA attributes of a field's control. Not every screen reader announces aria-errormessage, so the error is also
 * part of the description; ids that are not on the page are ignored.
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

interface Sized {
  size?: 'sm' | 'md' | 'lines';
}

const { withContext: withInput } = createRecipeContext({ key: 'input' });
const InputBox = withInput<HTMLInputElement, Omit<HTMLChakraProps<'input'>, 'size'> & Sized>('input');
const TextareaBox = withInput<HTMLTextAreaElement, HTMLChakraProps<'textarea'> & Sized>('textarea');
const CheckboxBox = chakra('input', {
  base: { display: 'block', flex: 'none', width: '6', height: '6', accentColor: 'accent' },
});
const SwitchBox = chakra('input', {
  base: {
    flex: 'none',
    appearance: 'none',
    display: 'flex',
    alignItems: 'center',
    width: '10',
    height: '6',
    px: '0.5',
    cursor: 'pointer',
    borderWidth: '1px',
    borderColor: 'border.control',
    borderRadius: 'full',
    bg: 'bg.muted',
    _before: { content: '""', width: '18px', height: '18px', borderRadius: 'full', bg: 'border.control' },
    _checked: { justifyContent: 'end', bg: 'accent', borderColor: 'accent', _before: { bg: 'accent.contrast' } },
    // The system's colours replace the backgrounds: its own check box shows the state.
    '@media (forced-colors: active)': { appearance: 'auto', _before: { display: 'none' } },
  },
});
const FileBox = chakra('input', {
  base: {
    width: 'full',
    fontSize: 'sm',
    color: 'fg.muted',
    // Drawn as a button.
    '&::file-selector-button': {
      minHeight: '9',
      px: '4',
      me: '3',
      cursor: 'pointer',
      fontSize: 'md',
      fontWeight: 'medium',
      color: 'fg',
      bg: 'bg',
      border: '1px solid {colors.border}',
      borderRadius: 'md',
    },
  },
});

/** Controls, named by the label of the surrounding field, or by one of their own. */
export const Input = (props: ComponentProps<typeof InputBox>) => <InputBox {...useControl()} {...props} />;
export const Textarea = (props: ComponentProps<typeof TextareaBox>) => (
  <TextareaBox size="lines" {...useControl()} {...props} />
);
export const Checkbox = (props: ComponentProps<typeof CheckboxBox>) => (
  <CheckboxBox type="checkbox" {...useControl()} {...props} />
);
/** Turns something on or off immediately; a check box is part of what is sent. */
export const Switch = (props: ComponentProps<typeof SwitchBox>) => (
  <SwitchBox type="checkbox" role="switch" {...useControl()} {...props} />
);
/**
 * Opens a file, whose name it shows. Who opens the choice again begins anew (`onAgain`), so that the same file can be
 * chosen again, for example after a correction.
 */
export const FileInput = ({
  onFile,
  onAgain,
  ...props
}: {
  accept: string;
  disabled?: boolean;
  onFile: (file: File) => void;
  /** Called when the control has no file any more. */
  onAgain?: () => void;
}) => (
  <FileBox
    type="file"
    {...useControl()}
    {...props}
    onClick={({ currentTarget }) => {
      currentTarget.value = '';
      onAgain?.();
    }}
    onChange={({ target }) => {
      const [file] = target.files ?? [];
      if (file) onFile(file);
      else onAgain?.();
    }}
  />
);

/** The choice of a file, hidden: a button or a label of the page opens it. */
export const FileChoice = ({
  ref,
  label,
  accept,
  onFile,
}: {
  ref?: Ref<HTMLInputElement>;
  /** Its name, where no label has it. */
  label?: string;
  accept: string;
  onFile: (file: File) => void;
}) => (
  <chakra.input
    ref={ref}
    type="file"
    aria-label={label}
    tabIndex={label ? -1 : undefined}
    accept={accept}
    css={visuallyHidden}
    onClick={({ currentTarget }) => (currentTarget.value = '')}
    onChange={({ target }) => {
      const [file] = target.files ?? [];
      if (file) onFile(file);
    }}
  />
);

/** A button that opens a file. */
export const FileButton = ({ label, ...choice }: { label: string; accept: string; onFile: (file: File) => void }) => (
  <Button
    asChild
    position="relative"
    css={{ '&:focus-within': { outline: '2px solid', outlineColor: 'accent', outlineOffset: '2px' } }}
  >
    <label>
      {label}
      <FileChoice {...choice} />
    </label>
  </Button>
);
