import { describe, expect, it } from 'vitest';
import {
  accountMachine,
  companyMachine,
  datasetMachine,
  organisationMachine,
} from '#machines/onboarding/forms.machine.ts';
import type { FormState } from '#machines/lib/form.ts';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import { checkForm } from '#rules/check.ts';
import { partyForm, paymentForm, subscriptionForm, type Form } from '#rules/field.ts';
import { nested } from '#rules/payload.ts';
import { material } from '#tests/machines/payment.models.ts';
import { rule } from '#tests/rules/support.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { debtor } from '#tests/support/fixtures.ts';

const idsOf = ({ fields }: Form): string[] => fields.map(({ id }) => id);

describe('behaviour, section 5: validation rules', () => {
  it('a field that is missing or fails its regex shows its rule’s message (behaviour 5.1)', () => {
    const message = (id: string) => ({ errorMessage: `${id} says so` });
    const form = subscriptionForm([
      rule('Subscriptions', 'additionalData.required', message('required')),
      rule('Subscriptions', 'additionalData.optional', { optionality: 'Optional', ...message('optional') }),
      rule('Subscriptions', 'additionalData.digits', {
        optionality: 'Optional',
        regex: '^\\d+$',
        ...message('digits'),
      }),
    ]);
    expect(checkForm(form, { digits: 'abc' })).toEqual([
      { id: 'required', message: 'required says so' },
      { id: 'digits', message: 'digits says so' },
    ]);
    expect(checkForm(form, { required: 'x', digits: '12' })).toEqual([]);
  });

  it('rules for Subscriptions become fields, groups and Booleans (behaviour 5.2)', () => {
    const form = subscriptionForm([
      rule('Subscriptions', 'additionalData.hidden', { optionality: 'Hidden' }),
      rule('Creditors', 'creditor.name'),
      rule('Subscriptions', 'additionalData.owners', { fieldType: 'Array' }),
      rule('Subscriptions', 'additionalData.agreed', { fieldType: 'Boolean' }),
      rule('Subscriptions', 'additionalData.paper', { fieldType: 'Boolean' }),
    ]);
    expect(idsOf(form)).toEqual(['agreed', 'paper']);
    expect(form.groups).toEqual(['owners']);
    expect(nested(form, { agreed: 'true', paper: 'no' })).toEqual({ agreed: true, paper: false });
  });

  it('debtor and creditor forms have the rules of DebtorAccounts and Creditors (behaviour 5.3)', () => {
    const rules = [rule('DebtorAccounts', 'debtorAccount.name'), rule('Creditors', 'creditor.name')];
    expect(idsOf(partyForm(rules, 'DebtorAccounts'))).toEqual(['debtorAccount.name']);
    expect(idsOf(partyForm(rules, 'Creditors'))).toEqual(['creditor.name']);
  });

  it('payment forms have Required rules under two prefixes, once per name (behaviour 5.4)', () => {
    const rules = [
      rule('BatchPayments', 'additionalData.purpose'),
      rule('BatchPayments', 'payments.additionalData.purpose'),
      rule('BatchPayments', 'payments.additionalData.code'),
      rule('BatchPayments', 'additionalData.notes', { optionality: 'Optional' }),
      rule('BatchPayments', 'additionalData.hidden', { optionality: 'Hidden' }),
      rule('BatchPayments', 'payments.creditor.name'),
      rule('Subscriptions', 'additionalData.other'),
    ];
    expect(idsOf(paymentForm(rules))).toEqual(['purpose', 'code']);
  });

  it('a rule with an enumeration becomes a select field (behaviour 5.5)', () => {
    const enumeration = [{ value: 'llc', description: 'Limited' }];
    const [field] = subscriptionForm([rule('Subscriptions', 'additionalData.type', { enumeration })]).fields;
    expect(field).toMatchObject({ kind: 'choice', options: [{ value: 'llc', label: 'Limited' }] });
  });

  it.each([organisationMachine, companyMachine, accountMachine, datasetMachine])(
    '$id: all fields are required',
    (machine) => {
      const { actor } = live(machine, { input: { facts: everything } });
      const { form } = actor.getSnapshot().context as FormState; // what every form's chart holds
      expect(form.fields.every(({ required }) => required)).toBe(true);
      expect(checkForm(form, {}).map(({ id }) => id)).toEqual(idsOf(form));
    },
  );
});

describe('behaviour, section 5: the choice of payments', () => {
  async function submitted(
    machine: typeof electronicPaymentMachine | typeof filePaymentMachine,
    debtorAgentidentification: string,
  ) {
    const { actor, answer, send } = live(machine as typeof electronicPaymentMachine, { input: { facts: everything } });
    const format = material.fileFormats[0];
    await answer('loadMaterial', {
      ...material,
      debtors: [{ ...debtor, debtorAgentidentification }],
    });
    await send({ type: 'format.choose', fileFormatId: format?.fileFormatId ?? '' });
    await send({ type: 'debtor.choose', debtorId: debtor.debtorId });
    await send({ type: 'form.submit' });
    return actor.getSnapshot().context.errors.map(({ message }) => message);
  }

  it.each([electronicPaymentMachine, filePaymentMachine])(
    "$id: 'Please select a bank account' appears for a debtor without a sort code",
    async (machine) => {
      expect(await submitted(machine, '')).toContain('Please select a bank account');
      expect(await submitted(machine, '200000')).not.toContain('Please select a bank account');
    },
  );

  it("'No Invoices to Pay' is shown for file payments only (behaviour 5.9)", async () => {
    expect(await submitted(filePaymentMachine, '200000')).toContain('No Invoices to Pay');
    expect(await submitted(electronicPaymentMachine, '200000')).not.toContain('No Invoices to Pay');
  });
});
