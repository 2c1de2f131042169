import { describe, expect, it } from 'vitest';
import { changeField, fillForm, mayFill, openForm } from '#machines/lib/form.ts';
import { organisationMachine } from '#machines/onboarding/forms.machine.ts';
import type { Field } from '#rules/field.ts';
import { providersMachine } from '#machines/lookup/lookup.machine.ts';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { filled } from '#tests/support/bodies.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';

const field = (id: string, regex: string): Field => ({
  id,
  label: id,
  description: '',
  example: '',
  required: true,
  kind: 'text',
  options: [],
  regex,
  errorMessage: `${id}: enter another`,
  paths: [id],
});
const code = field('code', '^[A-Z]{3}$');
const name = field('name', '');
const form = openForm({ fields: [code, name] });
const wrong = { id: 'code', message: code.errorMessage };

describe('a change of a form field', () => {
  it('is not validated before the form is submitted', () => {
    expect(changeField(form, { field: 'code', value: 'x' })).toEqual({ values: { code: 'x', name: '' }, errors: [] });
  });

  it('is validated at once if the field is in error, and keeps the error’s position', () => {
    const submitted = { ...form, errors: [wrong, { id: 'name', message: name.errorMessage }] };
    expect(changeField(submitted, { field: 'code', value: 'x' }).errors).toEqual(submitted.errors);
    expect(changeField(submitted, { field: 'code', value: 'GBR' }).errors).toEqual([submitted.errors[1]]);
  });

  it('is validated against the field’s own rule', () => {
    const submitted = { ...form, errors: [wrong, { id: 'name', message: name.errorMessage }] };
    expect(changeField(submitted, { field: 'name', value: 'x' }).errors).toEqual([wrong]);
    expect(changeField(submitted, { field: 'unknown', value: 'x' }).errors).toEqual(submitted.errors);
  });

  it('keeps the errors of other fields', () => {
    expect(changeField({ ...form, errors: [wrong] }, { field: 'name', value: 'x' }).errors).toEqual([wrong]);
  });
});

describe('filling a form with examples', () => {
  it('shows no error before the form is submitted, and validates it afterwards', () => {
    expect(fillForm(form).errors).toEqual([]);
    const submitted = { ...form, errors: [wrong] };
    expect(fillForm(submitted).errors.map(({ id }) => id)).toEqual(['code', 'name']);
  });

  it('is possible in the sandbox for a form with fields', () => {
    const may = (given: object) => mayFill({ context: { ...form, facts: everything, ...given } });
    expect(may({})).toBe(true);
    expect(may({ form: { fields: [] } })).toBe(false);
    expect(may({ facts: { ...everything, environment: 'live' } })).toBe(false);
  });
});

const typed = filled('organisation');

async function openOrganisation() {
  const running = live(organisationMachine, { input: { facts: factsAfter('nothing') } });
  for (const [field, value] of Object.entries(typed)) await running.send({ type: 'form.change', field, value });
  return running;
}

describe('a form filled with examples', () => {
  it('can be submitted without typing (behaviour 10.13.2)', async () => {
    const running = live(organisationMachine, { input: { facts: factsAfter('nothing') } });
    await running.send({ type: 'form.fill' });
    await running.send({ type: 'form.submit' });
    expect(running.pending('submit').input).toEqual({ values: filled('organisation'), beside: '', despite: '' });
  });
});

describe('the form of a journey', () => {
  it('is sent again with the earlier requests of which its refusal tells, and without them after another failure (behaviour 6.5)', async () => {
    const { actor, send, refuse, pending } = await openOrganisation();
    const unclear = {
      ...failure,
      code: 'exists-already',
      detail: 'The service said: no',
      despite: 'request-1',
    } as const;
    await send({ type: 'form.submit' });
    await refuse('submit', unclear);
    expect(actor.getSnapshot().context.failure).toMatchObject(unclear);
    expect(actor.getSnapshot().can({ type: 'retry' })).toBe(true);
    await send({ type: 'form.submit' });
    expect(pending('submit').input).toMatchObject({ despite: 'request-1' });
    await refuse('submit', failure);
    await send({ type: 'form.submit' });
    expect(pending('submit').input).toMatchObject({ despite: '' });
  });
});

describe('a request for an effect', () => {
  it('is aborted when its response is no longer needed', async () => {
    const { actor, send, calls } = live(providersMachine, { input: { facts: everything } });
    await send({ type: 'question.change', name: 'country', value: 'CA' });
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    actor.stop(); // the page is left
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    // Unset values come from the settings.
    expect(calls.map(({ input }) => input)).toEqual([{}, { country: 'CA' }]);
  });
});
