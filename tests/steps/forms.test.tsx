// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { accountMachine } from '#machines/onboarding/account.machine.ts';
import { companyMachine } from '#machines/onboarding/company.machine.ts';
import { datasetMachine } from '#machines/onboarding/dataset.machine.ts';
import AccountStep from '#steps/onboarding/AccountStep.tsx';
import CompanyStep from '#steps/onboarding/CompanyStep.tsx';
import DatasetStep from '#steps/onboarding/DatasetStep.tsx';
import { everything } from '#tests/support/facts.ts';
import { failure } from '#tests/support/material.ts';
import { drawn } from './drawn.tsx';

afterEach(cleanup);

const forms = [
  {
    title: 'company',
    open: () => drawn(companyMachine, CompanyStep),
    submit: 'Create Company',
    typed: {
      Name: ['name', 'Example Trading Ltd'],
      'External id': ['externalId', 'company-0001'],
      'Tax number': ['taxNumber', 'GB123456789'],
      'Standard industrial code': ['standardIndustrialCode', '62012'],
      'Contact telephone number': ['contactTelNo', '+44 20 7946 0000'],
      'Contact e-mail': ['contactEmail', 'accounts@example.com'],
    },
  },
  {
    title: 'account',
    open: () => drawn(accountMachine, AccountStep),
    submit: 'Create Account',
    typed: { 'External id': ['externalId', 'account-0001'] },
  },
  {
    title: 'data set',
    open: () => drawn(datasetMachine, DatasetStep),
    submit: 'Create DataSet',
    typed: {
      Name: ['name', 'Purchase ledger'],
      Country: ['country', 'GB'],
      'External id': ['externalId', 'dataset-0001'],
      'External source': ['externalSource', 'example-ledger'],
    },
  },
];

describe.each(forms)('the $title form', ({ open, submit, typed }) => {
  const fields: [label: string, [field: string, value: string]][] = Object.entries(typed) as never; // pairs by the table above

  async function opened() {
    const step = open();
    await step.answer('loadFacts', everything);
    // One is there already; another one is meant.
    await step.user.click(screen.getByRole('button', { name: 'Create another' }));
    return step;
  }

  async function filled() {
    const step = await opened();
    for (const [label, [, value]] of fields) await step.user.type(screen.getByRole('textbox', { name: label }), value);
    return step;
  }

  const press = () => screen.getByRole('button', { name: submit });

  it('says of every field that it is missing, with the focus on the list', async () => {
    const { user, calls } = await opened();
    await user.click(press());
    const summary = screen.getByRole('alert');
    expect(document.activeElement).toBe(summary);
    expect(summary.querySelectorAll('a')).toHaveLength(fields.length);
    expect(calls.some(({ port }) => port === 'submit')).toBe(false);
  });

  it('sends what was typed', async () => {
    const { user, pending } = await filled();
    await user.click(press());
    expect(pending('submit').input).toEqual(Object.fromEntries(fields.map(([, entry]) => entry)));
  });

  it('is sent once however often it is pressed, and says that work goes on', async () => {
    const { user, calls } = await filled();
    await user.click(press());
    await user.click(screen.getByRole('button', { name: /^Sending/ }));
    expect(calls.filter(({ port }) => port === 'submit')).toHaveLength(1);
  });

  it('keeps what was typed when it is refused', async () => {
    const { user, refuse, actor } = await filled();
    await user.click(press());
    await refuse('submit', failure);
    expect(actor.getSnapshot().value).toBe('refused');
    for (const [label, [, value]] of fields)
      expect(screen.getByRole('textbox', { name: label })).toHaveProperty('value', value);
  });

  it('is left by Cancel', async () => {
    const { user, actor } = await opened();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(actor.getSnapshot().value).toBe('cancelled');
  });
});
