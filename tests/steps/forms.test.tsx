// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accountMachine } from '#machines/account.machine.ts';
import { companyMachine } from '#machines/company.machine.ts';
import { datasetMachine } from '#machines/dataset.machine.ts';
import AccountStep from '#steps/account/AccountStep.tsx';
import CompanyStep from '#steps/company/CompanyStep.tsx';
import DatasetStep from '#steps/dataset/DatasetStep.tsx';
import { draw } from '#tests/support/draw.tsx';
import { everything } from '#tests/support/facts.ts';
import { failure } from '#tests/support/material.ts';

const forms = [
  {
    title: 'company',
    open: () => draw(CompanyStep, companyMachine),
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
    open: () => draw(AccountStep, accountMachine),
    submit: 'Create Account',
    typed: { 'External id': ['externalId', 'account-0001'] },
  },
  {
    title: 'data set',
    open: () => draw(DatasetStep, datasetMachine),
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
    const drawn = open();
    await drawn.answer('loadFacts', everything);
    return drawn;
  }

  async function filled() {
    const drawn = await opened();
    for (const [label, [, value]] of fields) await drawn.user.type(screen.getByRole('textbox', { name: label }), value);
    return drawn;
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
    const { user, refuse, isIn } = await filled();
    await user.click(press());
    await refuse('submit', failure);
    expect(isIn('refused')).toBe(true);
    for (const [label, [, value]] of fields)
      expect(screen.getByRole('textbox', { name: label })).toHaveProperty('value', value);
  });

  it('is left by Cancel', async () => {
    const { user, isIn } = await opened();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(isIn('closed')).toBe(true);
  });
});
