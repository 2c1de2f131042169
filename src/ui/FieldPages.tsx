import { Box, Button, Grid } from '@chakra-ui/react';
import { useEffect, useId, useMemo, useState } from 'react';
import type { FieldError } from '#rules/fieldError.ts';
import { counted } from '#rules/counted.ts';
import type { Field, Values } from '#rules/field.ts';
import { isGiven, isShort, FormField } from './FormField.tsx';
import { Pager } from './ListTools.tsx';

/** Fields per page: the number of rules, and so of fields, is unlimited. */
const pageSize = 50;

/** A request to focus a field on any page of the form; each new object is a new request. */
export interface Sought {
  control: string;
}

interface FieldsProps {
  fields: readonly Field[];
  values: Values;
  messages: ReadonlyMap<string, string>;
  /** Returns the DOM id of a field's control. */
  controlOf: (field: string) => string;
  onChange: (field: string, value: string) => void;
  /** Draws required fields without a grid, as items of the line around them. */
  inLine?: boolean;
}

/** Fields in a grid: short ones in two columns, others across both; one column on a narrow page. */
function Columns({ fields, values, messages, controlOf, onChange, inLine = false }: FieldsProps) {
  const drawn = fields.map((field) => (
    <FormField
      key={field.id}
      id={controlOf(field.id)}
      field={field}
      value={values[field.id] ?? ''}
      error={messages.get(field.id)}
      onChange={onChange}
    />
  ));
  if (inLine) return drawn;
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }} columnGap="4" rowGap="5">
      {fields.map((field, index) => (
        <Box key={field.id} gridColumn={isShort(field) ? 'auto' : '1 / -1'} minWidth="0">
          {drawn[index]}
        </Box>
      ))}
    </Grid>
  );
}

/** Optional fields: initially folded unless one has a value; always open while one is in error. */
function Optional(props: FieldsProps) {
  const { fields, values, messages } = props;
  const [chosen, setChosen] = useState<boolean>();
  const id = useId();
  const open =
    fields.some((field) => messages.has(field.id)) || (chosen ?? fields.some((field) => isGiven(field, values)));
  return (
    <Box display="grid" gap="4" justifyItems="start">
      <Button
        size="sm"
        variant="ghost"
        color="fg.muted"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setChosen(!open)}
      >
        <span aria-hidden="true">{open ? '▾' : '▸'}</span>
        {counted(fields.length, 'optional field')}
      </Button>
      <Box id={id} width="full" hidden={!open}>
        {open && <Columns {...props} />}
      </Box>
    </Box>
  );
}

/** The fields of a form, in pages of fifty; each page has its required fields first. */
export function FieldPages(
  props: Omit<FieldsProps, 'messages'> & { errors: readonly FieldError[]; sought?: Sought | undefined },
) {
  const { fields, values, errors, controlOf, onChange, sought, inLine = false } = props;
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
  const shown = fields.slice((page - 1) * pageSize, page * pageSize);
  const [required, optional] = [shown.filter((field) => field.required), shown.filter((field) => !field.required)];
  const drawn = { values, messages, controlOf, onChange };
  return (
    <>
      {fields.length > pageSize && (
        <Pager caption="fields" page={page} pageSize={pageSize} of={fields.length} onPage={setChosen} />
      )}
      {required.length > 0 && <Columns {...drawn} fields={required} inLine={inLine} />}
      {optional.length > 0 &&
        (required.length > 0 ? <Optional {...drawn} fields={optional} /> : <Columns {...drawn} fields={optional} />)}
    </>
  );
}
