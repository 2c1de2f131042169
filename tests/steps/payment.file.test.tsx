// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { filePaymentMachine } from '#machines/payment/payment.machine.ts';
import { PaymentStep } from '#steps/payment/PaymentStep.tsx';
import { pick } from '#tests/support/gestures.ts';
import { fileFormat } from '#tests/support/fixtures.ts';
import { openReview } from '#tests/support/openReview.ts';
import { drawn } from './drawn.tsx';
import { facts, material } from './paymentMaterial.ts';

// Loaded beside the form: without it, the first test would race its import.
beforeAll(() => import('#steps/payment/InvoiceSelector.tsx'));

const review = () => screen.getByRole('button', { name: 'Review' });

describe('paying by file', () => {
  async function byFile() {
    const step = drawn(filePaymentMachine, PaymentStep, { input: { facts } });
    await step.answer('loadMaterial', material);
    return step;
  }

  it("speaks the specification's words when no invoice is ticked", async () => {
    const { user } = await byFile();
    await pick(user, screen.getByLabelText('Bank file template'), 'format-1');
    await user.click(review());
    expect(screen.getByRole('link', { name: 'No Invoices to Pay' })).toBeTruthy();
  });

  it('shows the lines of the file before it is sent, with a link to each cell that breaks a rule (behaviour 5.10)', async () => {
    const cell = (type: string, destination: string, more: object) => ({
      ruleId: `${type}-${destination}`,
      type,
      destination: { destination },
      ...more,
    });
    const bank = {
      jsonPath: 'payments.creditorAccount.identification',
      optionality: 'Required',
      regex: '^9',
      uiLabel: 'Account',
      errorMessage: 'Account: begin with 9',
    };
    const rules = [
      cell('Header', '1-4', { content: { constant: 'HEAD' } }),
      cell('Detail', '1-10', { sourceValidation: bank }),
      cell('Detail', '12-20', {
        sourceValidation: { jsonPath: 'payments.remittanceInformation.reference', optionality: 'Optional' },
      }),
      cell('Detail', 'far', {}),
    ];
    const step = drawn(filePaymentMachine, PaymentStep, { input: { facts } });
    await step.answer('loadMaterial', {
      ...material,
      rules: [],
      fileFormats: [{ ...fileFormat, specification: { rules } }],
    });
    await pick(step.user, screen.getByLabelText('Bank file template'), 'format-1');
    await step.user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    await step.user.click(screen.getByRole('checkbox', { name: 'Pay invoice i2' }));
    await step.user.click(review());
    await openReview(step);
    const lines = within(await screen.findByRole('region', { name: 'Lines' }));
    const shown = lines
      .getAllByRole('button')
      .map((button) => button.parentElement?.querySelector('[data-text]')?.textContent);
    expect(shown).toEqual(['HEAD', '87654321   i1       ', '87654321   i2       ']);
    expect(screen.getByText('2 values break their rules: the service would reject this batch')).toBeTruthy();
    const pay = screen.getByRole('button', { name: /^Pay / });
    expect(pay.getAttribute('aria-disabled')).toBe('true');
    screen.getByText('2 values break their rules: Account of i1, Account of i2. Go back and correct them');
    expect(screen.getByText(/the form of these rules is unknown: Detail-far/)).toBeTruthy();
    await step.user.click(screen.getByRole('button', { name: 'Line 3, columns 1-10' }));
    expect(document.activeElement?.textContent).toBe('Line 3: Detail');
    const row = within(screen.getByRole('table', { name: '2 cells' })).getByRole('row', { name: /Detail-1-10/ });
    expect(row.textContent).toContain('Account: begin with 9');
    expect(lines.getByRole('button', { name: 'Line 1' }).getAttribute('aria-pressed')).toBe('false');
    await step.user.click(lines.getByRole('button', { name: 'Line 1' }));
    expect(within(screen.getByRole('table', { name: '1 cell' })).getByText('HEAD')).toBeTruthy();
  });

  const stated = async (rules: object[]) => {
    const step = drawn(filePaymentMachine, PaymentStep, { input: { facts } });
    const fileFormats = [{ ...fileFormat, specification: { rules } }];
    await step.answer('loadMaterial', { ...material, rules: [], fileFormats });
    await pick(step.user, screen.getByLabelText('Bank file template'), 'format-1');
    await step.user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    await step.user.click(review());
    await openReview(step);
    const section = within(await screen.findByRole('region', { name: 'Lines of the file' }));
    return { said: section.getByRole('status').textContent, section };
  };
  const rule = (more: object) => ({
    ruleId: 'rule',
    type: 'Detail',
    sourceValidation: { jsonPath: 'payments.remittanceInformation.reference', optionality: 'Optional' },
    ...more,
  });

  it.each([
    ['no rules', [], 'It has no rules to check the values by.'],
    ['rules without destinations', [rule({})], 'All values follow its rules.'],
    ['destinations that are not understood', [rule({ destination: {} })], 'All values follow'],
  ])('a format with %s is not reviewed as one whose cells fit, and shows no lines', async (_, rules, checked) => {
    const { said, section } = await stated(rules);
    expect(said).toContain('do not define the positions of values in the file, so its lines are unknown here.');
    expect(said).toContain(checked);
    expect(section.queryByRole('region', { name: 'Lines' })).toBeNull();
    expect(section.queryByText(/Line 1/)).toBeNull();
  });

  it('a format of which some rules are not understood is reviewed as checked in part', async () => {
    const { said } = await stated([
      rule({ destination: { destination: '1-40' } }),
      { ...rule({}), ruleId: 'other', destination: { destination: 'far' } },
    ]);
    expect(said).toBe('Every cell that is laid out here fits its rule; others are not');
  });

  it('shows what the file holds in place of a name that it cuts or transliterates (behaviour 5.14)', async () => {
    const name = { jsonPath: 'payments.creditor.name', optionality: 'Required', uiLabel: 'Payee name' };
    const rules = [
      {
        ruleId: 'r',
        type: 'Detail',
        sourceValidation: name,
        destination: { destination: '1-8', truncate: true, format: 'unaccented' },
      },
    ];
    const step = drawn(filePaymentMachine, PaymentStep, { input: { facts } });
    await step.answer('loadMaterial', {
      ...material,
      rules: [],
      creditors: material.creditors.map((each) => ({ ...each, creditorname: 'Søren Ærø' })),
      invoices: material.invoices.map((each) => ({ ...each, creditorName: 'Søren Ærø' })),
      fileFormats: [{ ...fileFormat, specification: { rules } }],
    });
    await pick(step.user, screen.getByLabelText('Bank file template'), 'format-1');
    await step.user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    await step.user.click(review());
    await openReview(step);
    const changed = within(await screen.findByRole('table', { name: '1 changed value' })).getAllByRole('row')[1];
    expect(changed?.textContent).toBe('Payee nameSøren ÆrøSoren AECut: the file holds 8 characters');
    const payment = within(screen.getByRole('table', { name: '1 payment' })).getByRole('row', { name: /Søren Ærø/ });
    expect(payment.textContent).toContain('In the file: Soren AE');
  });
});
