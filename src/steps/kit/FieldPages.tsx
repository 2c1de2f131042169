import { useEffect, useMemo, useState } from 'react';
import type { FieldError } from '#rules/check.ts';
import type { Field, Values } from '#rules/field.ts';
import { FormField } from './FormField.tsx';
import { Pager } from './ListTools.tsx';

/** Fields that are drawn at once; a form of rules may be of any length. */
const pageSize = 50;

/** A field that is to have the focus, wherever in the form it is; each new value is a new wish. */
export interface Sought {
  control: string;
}

/** The fields of a form, those of a long one in pages. `controlOf` gives a field's DOM id. */
export function FieldPages(props: {
  fields: readonly Field[];
  values: Values;
  errors: readonly FieldError[];
  controlOf: (field: string) => string;
  onChange: (field: string, value: string) => void;
  sought?: Sought | undefined;
}) {
  const { fields, values, errors, controlOf, onChange, sought } = props;
  const [chosen, setChosen] = useState(1);
  const messages = useMemo(() => new Map(errors.map(({ id, message }) => [id, message])), [errors]);
  const page = Math.min(chosen, Math.max(1, Math.ceil(fields.length / pageSize)));
  const [answered, setAnswered] = useState<Sought>();
  if (sought && sought !== answered) {
    setAnswered(sought);
    const at = fields.findIndex(({ id }) => controlOf(id) === sought.control);
    if (at >= 0) setChosen(Math.floor(at / pageSize) + 1);
  }
  useEffect(() => {
    if (sought) document.getElementById(sought.control)?.focus();
  }, [sought, page]);
  return (
    <>
      {fields.length > pageSize && (
        <Pager caption="fields" page={page} pageSize={pageSize} of={fields.length} onPage={setChosen} />
      )}
      {fields.slice((page - 1) * pageSize, page * pageSize).map((field) => (
        <FormField
          key={field.id}
          id={controlOf(field.id)}
          field={field}
          value={values[field.id] ?? ''}
          error={messages.get(field.id)}
          onChange={onChange}
        />
      ))}
    </>
  );
}
