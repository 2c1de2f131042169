import { useState } from 'react';
import type { OwnValues } from '#contract/forms.ts';
import type { Problem } from '#contract/problem.ts';
import type { FieldError } from '#rules/fieldError.ts';
import { ownForm } from '#rules/forms.ts';
import { ownBody } from '#rules/ownForm.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { FormFields } from '#ui/FormFields.tsx';

const form = ownForm('existing');

/** Form for an existing organisation, company and signing key. Its input stays in the fields; no draft is stored. */
export function ExistingForm(props: {
  busy: boolean;
  errors: readonly FieldError[];
  failure: Problem | null;
  onSubmit: (entered: OwnValues<'existing'>) => void;
  onCancel: () => void;
}) {
  const { busy, errors, failure, onSubmit, onCancel } = props;
  const [values, setValues] = useState(ownBody('existing', {}));
  return (
    <>
      {failure && <FailurePanel problem={failure} />}
      <FormFields
        title="Existing company"
        form={form}
        values={values}
        errors={errors}
        busy={busy}
        submitLabel="Use this company"
        onChange={(field, value) => setValues((typed) => ({ ...typed, [field]: value }))}
        onSubmit={() => onSubmit(values)}
        onCancel={onCancel}
      />
    </>
  );
}
