// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { accountMachine } from '#machines/onboarding/account.machine.ts';
import { companyMachine } from '#machines/onboarding/company.machine.ts';
import { datasetMachine } from '#machines/onboarding/dataset.machine.ts';
import { AccountStep, CompanyStep, DatasetStep } from '#steps/onboarding/FormSteps.tsx';
import { filled, typed } from '#tests/support/bodies.ts';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { enter } from '#tests/support/gestures.ts';
import { failure } from '#tests/support/fixtures.ts';
import { drawn } from './drawn.tsx';

afterEach(cleanup);

const forms = [
  {
    name: 'company',
    open: () => drawn(companyMachine, CompanyStep),
    submit: 'Create company',
    beside: everything.settings.companyId,
  },
  {
    name: 'account',
    open: () => drawn(accountMachine, AccountStep),
    submit: 'Create account',
    beside: everything.settings.accountId,
  },
  {
    name: 'dataset',
    open: () => drawn(datasetMachine, DatasetStep),
    submit: 'Create data set',
    beside: everything.settings.dataSetId,
  },
] as const;

describe.each(forms)('the form $name', ({ name, open, submit, beside }) => {
  const fields = Object.entries(typed(name));

  async function filledIn() {
    const step = open();
    for (const [label, value] of fields) await enter(step.user, screen.getByRole('textbox', { name: label }), value);
    return step;
  }

  const press = () => screen.getByRole('button', { name: submit });

  it('says of every field that it is missing, with the focus on the list', async () => {
    const { user, calls } = open();
    await user.click(press());
    const summary = screen.getByRole('alert');
    expect(document.activeElement).toBe(summary);
    expect(summary.querySelectorAll('a')).toHaveLength(fields.length);
    expect(calls.some(({ port }) => port === 'submit')).toBe(false);
  });

  it('sends what was typed, and the id of the one that it was opened beside (behaviour 6.5)', async () => {
    const { user, pending } = open();
    for (const [label, value] of fields) await user.type(screen.getByRole('textbox', { name: label }), value);
    await user.click(press());
    expect(pending('submit').input).toEqual({ values: filled(name), beside, despite: '' });
  });

  it('keeps its input when it is refused', async () => {
    const { user, refuse, actor } = await filledIn();
    await user.click(press());
    await refuse('submit', failure);
    expect(actor.getSnapshot().value).toEqual({ form: 'refused' });
    for (const [label, value] of fields)
      expect(screen.getByRole('textbox', { name: label })).toHaveProperty('value', value);
  });
});

describe('a form filled with examples', () => {
  const openCompany = () => drawn(companyMachine, CompanyStep, { input: { facts: factsAfter('organisation') } });
  const fill = () => screen.getByRole('button', { name: 'Fill with example' });

  const note = () => screen.queryByText('Filled with examples');

  it('says so, and Clear empties it', async () => {
    const { user } = openCompany();
    await user.click(fill());
    expect(screen.queryByRole('button', { name: 'Fill with example' })).toBeNull();
    const externalId = screen.getByRole('textbox', { name: 'External id' });
    expect(externalId).toHaveProperty('value', 'company-0001');
    await user.click(screen.getByRole('button', { name: 'Clear', description: 'Filled with examples' }));
    expect(externalId).toHaveProperty('value', '');
    expect(document.activeElement).toBe(fill());
  });

  it.each([
    ['before', 'Name', true],
    ['after', 'Name', false],
    ['after', 'External id', false],
  ])(
    'does not say so beside a value that was typed %s it, in %s, which "Clear examples" leaves (behaviour 10.13.2)',
    async (_, label, isBefore) => {
      const { user } = openCompany();
      const field = screen.getByRole<HTMLInputElement>('textbox', { name: label });
      if (isBefore) await enter(user, field, 'Applewick Trading');
      await user.click(fill());
      if (!isBefore) {
        await user.clear(field);
        await enter(user, field, 'Applewick Trading');
      }
      expect(note()).toBeNull();
      await user.click(screen.getByRole('button', { name: 'Clear examples' }));
      const values = screen.getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value);
      expect(values.filter((value) => value !== '')).toEqual(['Applewick Trading']);
      expect(note()).toBeNull();
      expect(fill()).toBeDefined();
    },
  );
});
