import { Heading } from '@chakra-ui/react';
import { useEffect, useId, useMemo, useState, type ReactNode } from 'react';
import type { FieldError } from '#rules/fieldError.ts';
import type { Form, Values } from '#rules/field.ts';
import { Bar } from './Bar.tsx';
import { ErrorSummary } from './ErrorSummary.tsx';
import { focusOn } from './focus.ts';
import { messageLang } from './FormField.tsx';
import { FillButton, type Filled } from './BesideHeading.tsx';
import { Stack } from './surfaces.tsx';
import { FieldPages, type Sought } from './FieldPages.tsx';

/** The props of a form that is built from rules; values and errors are controlled by the caller. */
export interface FormFieldsProps {
  form: Form;
  values: Values;
  errors: readonly FieldError[];
  onChange: (field: string, value: string) => void;
  onSubmit: () => void;
  onCancel: () => void;
  /** Disables Cancel. */
  stays?: boolean;
  /** Fills the form with its examples; undefined if there are none. */
  onFill?: (() => void) | undefined;
  /** How to empty the fields that were filled with examples; undefined unless they were. */
  filled?: Filled | undefined;
  /** The label of the submit button in the bar, e.g. 'Create Subscription'. */
  submitLabel: string;
  /** The form is being sent: the submit button shows that and is disabled. */
  busy?: boolean;
  /** A heading above the fields, e.g. 'Subscription Data'. */
  title?: string;
  /** Renders Cancel as tertiary and destructive (behaviour, section 2: Bank subscription screen). */
  destructiveCancel?: boolean;
  /** Renders the form's buttons in the bar; false while content above the form uses the bar. Default true. */
  bar?: boolean;
  /** Content below the fields, other than fields of rules. */
  children?: ReactNode;
}

interface FormFrameProps extends Pick<
  FormFieldsProps,
  'form' | 'values' | 'errors' | 'onChange' | 'onSubmit' | 'onFill' | 'filled' | 'busy' | 'title'
> {
  /** Removes the maximum width, for a form with a table. */
  wide?: boolean;
  /** Draws required fields without a grid, as items of the line that `children` puts around them. */
  inLine?: boolean;
  /** The id of the error whose field receives the focus when the form appears; '' for none. */
  seek?: string;
  /**
   * Renders the content of the form around `fields`, the fields of the rules. `controlOf` returns the DOM id of a
   * field's control by the field's id; `form` is the form's DOM id, for its submit button in the bar; `sought` is the
   * control to focus.
   */
  children: (
    fields: ReactNode,
    controlOf: (field: string) => string,
    form: string,
    sought: Sought | undefined,
  ) => ReactNode;
}

/**
 * A form with an error summary whose links reach fields on all pages. The machine validates the form and supplies
 * `errors` (behaviour, section 10.3).
 */
export function FormFrame(props: FormFrameProps) {
  const {
    form,
    values,
    errors,
    onChange,
    onSubmit,
    onFill,
    filled,
    busy = false,
    title,
    wide = false,
    inLine = false,
    children,
  } = props;
  const id = useId();
  const [attempt, setAttempt] = useState(0);
  const [sought, setSought] = useState<Sought | undefined>(props.seek ? { control: `${id}${props.seek}` } : undefined);
  useEffect(() => {
    if (sought) focusOn(document.getElementById(sought.control));
  }, [sought]);
  const controlOf = (field: string) => `${id}${field}`;
  const langs = useMemo(() => new Map(form.fields.map((field) => [field.id, messageLang(field)])), [form]);
  return (
    <Stack asChild gap="5" minWidth="0" maxWidth={wide ? undefined : 'form'}>
      <form
        id={`${id}form`}
        noValidate
        aria-labelledby={title && `${id}title`}
        onSubmit={(event) => {
          event.preventDefault();
          if (busy) return;
          setAttempt(attempt + 1);
          onSubmit();
        }}
      >
        <ErrorSummary
          lines={errors.map(({ id: field, message }) => ({
            control: field === '' ? null : controlOf(field),
            message,
            lang: langs.get(field),
          }))}
          attempt={attempt}
          onSeek={setSought}
        />
        <FillButton onFill={onFill} filled={filled} busy={busy} />
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
            inLine={inLine}
          />,
          controlOf,
          `${id}form`,
          sought,
        )}
      </form>
    </Stack>
  );
}

/** A form built from rules: fields, submit and Cancel. An incomplete form does not disable submit. */
export function FormFields(props: FormFieldsProps) {
  const { submitLabel, onCancel, stays = false, destructiveCancel = false, bar = true, children, ...frame } = props;
  const sending = frame.busy ? 'Sending …' : '';
  return (
    <FormFrame {...frame}>
      {(fields, _, form) => (
        <>
          {fields}
          {children}
          {bar && (
            <Bar
              leave={[
                { label: 'Cancel', onPress: onCancel, rests: stays ? sending : '', destructive: destructiveCancel },
              ]}
              primary={{ label: sending || submitLabel, form, rests: sending }}
            />
          )}
        </>
      )}
    </FormFrame>
  );
}
