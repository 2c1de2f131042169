import { chakra, Heading } from '@chakra-ui/react';
import { useId, useMemo, useState, type ReactNode } from 'react';
import type { FieldError } from '#rules/check.ts';
import type { Form, Values } from '#rules/field.ts';
import { Bar } from './Bar.tsx';
import { ErrorSummary } from './ErrorSummary.tsx';
import { messageLang } from './FormField.tsx';
import { FillButton } from './FillButton.tsx';
import { FieldPages, type Sought } from './FieldPages.tsx';

/** What a form of rules is drawn from; it holds no state of its own but the number of attempts. */
export interface FormFieldsProps {
  form: Form;
  values: Values;
  errors: readonly FieldError[];
  onChange: (field: string, value: string) => void;
  onSubmit: () => void;
  onCancel: () => void;
  /** Cancel is not heard now. */
  stays?: boolean;
  /** Fills the form with its examples, where there are some to be had. */
  onFill?: (() => void) | undefined;
  /** The submit button's name, e.g. 'Create Subscription'; it stands in the bar. */
  submitLabel: string;
  /** The form is being sent: the pressed button says so and does nothing. */
  busy?: boolean;
  /** A heading above the fields, e.g. 'Subscription Data'. */
  title?: string;
  /** Cancel is tertiary and destructive (behaviour, section 2: Bank subscription screen). */
  destructiveCancel?: boolean;
  /** Whether its buttons are in the bar; where they are not, what stands above the form has its own there. */
  bar?: boolean;
  /** Controls between the fields and the buttons that no rule describes. */
  children?: ReactNode;
}

interface FormFrameProps extends Pick<
  FormFieldsProps,
  'form' | 'values' | 'errors' | 'onChange' | 'onSubmit' | 'onFill' | 'busy' | 'title'
> {
  /** Wider than a form usually is, as it holds a table. */
  wide?: boolean;
  /**
   * Places the fields of the rules among the rest of the form. `controlOf` gives the DOM id of a field by its id, `form`
   * is that of the form, for its submit button in the bar.
   */
  children: (fields: ReactNode, controlOf: (field: string) => string, form: string) => ReactNode;
}

/**
 * A form and its error summary, which leads to any field, also one on another page of fields. The machine validates and
 * gives `errors` (behaviour, section 10.3).
 */
export function FormFrame(props: FormFrameProps) {
  const { form, values, errors, onChange, onSubmit, onFill, busy = false, title, wide = false, children } = props;
  const id = useId();
  const [attempt, setAttempt] = useState(0);
  const [sought, setSought] = useState<Sought>();
  const controlOf = (field: string) => `${id}${field}`;
  const langs = useMemo(() => new Map(form.fields.map((field) => [field.id, messageLang(field)])), [form]);
  return (
    <chakra.form
      id={`${id}form`}
      noValidate
      display="grid"
      gridTemplateColumns="minmax(0, 1fr)"
      gap="5"
      minWidth="0"
      maxWidth={wide ? undefined : 'form'}
      aria-labelledby={title && `${id}title`}
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        setAttempt(attempt + 1);
        onSubmit();
      }}
    >
      <ErrorSummary
        lines={errors.map(({ id: field, message }) => ({ control: controlOf(field), message, lang: langs.get(field) }))}
        attempt={attempt}
        onSeek={setSought}
      />
      <FillButton onFill={onFill} busy={busy} />
      {title && (
        <Heading as="h2" id={`${id}title`}>
          {title}
        </Heading>
      )}
      {children(
        <FieldPages
          fields={form.fields}
          values={values}
          errors={errors}
          controlOf={controlOf}
          onChange={onChange}
          sought={sought}
        />,
        controlOf,
        `${id}form`,
      )}
    </chakra.form>
  );
}

/** A form from rules: fields, submit and Cancel. Submit is never disabled to mean "incomplete". */
export function FormFields(props: FormFieldsProps) {
  const { submitLabel, onCancel, stays = false, destructiveCancel = false, bar = true, children, ...frame } = props;
  const busy = frame.busy ?? false;
  return (
    <FormFrame {...frame}>
      {(fields, _, form) => (
        <>
          {fields}
          {children}
          {bar && (
            <Bar
              leave={[{ label: 'Cancel', onPress: onCancel, rests: stays, destructive: destructiveCancel }]}
              primary={{ label: busy ? 'Sending …' : submitLabel, form, rests: busy }}
            />
          )}
        </>
      )}
    </FormFrame>
  );
}
