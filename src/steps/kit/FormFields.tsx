import { Button, chakra, Flex, Heading } from '@chakra-ui/react';
import { useId, useMemo, useState, type ReactNode } from 'react';
import type { FieldError } from '#rules/check.ts';
import type { Form, Values } from '#rules/field.ts';
import { ErrorSummary } from './ErrorSummary.tsx';
import { messageLang } from './FormField.tsx';
import { FieldPages, type Sought } from './FieldPages.tsx';

/** What a form of rules is drawn from; it holds no state of its own but the number of attempts. */
export interface FormFieldsProps {
  form: Form;
  values: Values;
  errors: readonly FieldError[];
  onChange: (field: string, value: string) => void;
  onSubmit: () => void;
  onCancel: () => void;
  /** The submit button's name, e.g. 'Create Subscription'. */
  submitLabel: string;
  /** The form is being sent: the pressed button says so and does nothing. */
  busy?: boolean;
  /** A heading above the fields, e.g. 'Subscription Data'. */
  title?: string;
  /** Buttons at the end of the line, Cancel tertiary and destructive (behaviour, section 2: Bank subscription screen). */
  buttonsAtEnd?: boolean;
  /** Controls between the fields and the buttons that no rule describes. */
  children?: ReactNode;
}

/**
 * A form from rules: error summary, fields, submit and Cancel. Submit is never disabled to mean "incomplete"; the
 * machine validates and gives `errors` (behaviour, section 10.3).
 */
export function FormFields(props: FormFieldsProps) {
  const {
    form,
    values,
    errors,
    onChange,
    onSubmit,
    onCancel,
    submitLabel,
    busy = false,
    title,
    buttonsAtEnd,
    children,
  } = props;
  const id = useId();
  const [attempt, setAttempt] = useState(0);
  const [sought, setSought] = useState<Sought>();
  const controlOf = (field: string) => `${id}${field}`;
  const langs = useMemo(() => new Map(form.fields.map((field) => [field.id, messageLang(field)])), [form]);
  return (
    <chakra.form
      noValidate
      display="grid"
      gridTemplateColumns="minmax(0, 1fr)"
      gap="5"
      maxWidth="form"
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
      {title && (
        <Heading as="h2" id={`${id}title`}>
          {title}
        </Heading>
      )}
      <FieldPages
        fields={form.fields}
        values={values}
        errors={errors}
        controlOf={controlOf}
        onChange={onChange}
        sought={sought}
      />
      {children}
      <Flex gap="2" justify={buttonsAtEnd ? 'end' : 'start'}>
        <Button type="submit" variant="solid" aria-disabled={busy}>
          {busy ? 'Sending …' : submitLabel}
        </Button>
        <Button variant={buttonsAtEnd ? 'plain' : 'outline'} onClick={onCancel}>
          Cancel
        </Button>
      </Flex>
    </chakra.form>
  );
}
