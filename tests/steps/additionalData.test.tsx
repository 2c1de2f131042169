// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { additionalDataMachine } from '#machines/lookup/additionalData.machine.ts';
import { AdditionalDataStep } from '#steps/lookup/AdditionalDataStep.tsx';
import { rule } from '#tests/rules/support.ts';
import { enter, pick } from '#tests/support/gestures.ts';
import { provider } from '#tests/support/fixtures.ts';
import { drawn } from './drawn.tsx';

const number = rule('Subscriptions', 'additionalData.serviceUserNumber', {
  uiLabel: 'Service user number',
  example: '123456',
  regex: '^\\d{6}$',
  errorMessage: 'Six digits, please',
});

async function open() {
  const step = drawn(additionalDataMachine, AdditionalDataStep);
  await step.answer('loadProviders', [provider]);
  return step;
}

/** Pasting, which user-event would do key by key and with brackets of its own meaning. */
async function paste(user: Awaited<ReturnType<typeof open>>['user'], text: string) {
  fireEvent.change(screen.getByLabelText('Or rules as JSON'), { target: { value: text } });
  await user.click(screen.getByRole('button', { name: 'Use these rules' }));
}

const region = (name: string) => within(screen.getByRole('region', { name }));

describe('the rule playground', () => {
  it("makes a provider's form for each kind of body", async () => {
    const { user } = await open();
    await pick(user, screen.getByLabelText('Rules of provider'), 'Example Bacs');
    screen.getByRole('textbox', { name: 'serviceUserNumber' });
    await pick(user, screen.getByLabelText('Form for'), 'DebtorAccounts');
    screen.getByRole('textbox', { name: 'debtorAccount.name' });
    expect(screen.queryByRole('textbox', { name: 'serviceUserNumber' })).toBeNull();
  });

  it('says for each key which rule applies and why', async () => {
    const { user } = await open();
    await paste(user, JSON.stringify([number]));
    const status = region('Request preview').getAllByRole('status')[0]!; // the firings come first
    expect(status.textContent).toContain('It is required but missing. It says: Six digits, please');
    await user.type(screen.getByRole('textbox', { name: 'Service user number' }), '12345');
    expect(status.textContent).toContain('The value does not match its pattern.');
    await user.type(screen.getByRole('textbox', { name: 'Service user number' }), '6');
    expect(status.textContent).toBe('No rule is broken: the form is valid.');
  });

  it('shows the request, with additionalData as a string that contains JSON', async () => {
    const { user } = await open();
    await paste(user, JSON.stringify([number]));
    await enter(user, screen.getByRole('textbox', { name: 'Service user number' }), '654321');
    expect(screen.getByRole('group', { name: 'request body' }).textContent).toContain(
      '"additionalData": {  string on the wire"serviceUserNumber": "654321"}',
    );
  });

  it('tries values against each pattern, some that pass and some that fail', async () => {
    const { user } = await open();
    await paste(user, JSON.stringify([number]));
    const outcomeOf = (value: string) =>
      region('Patterns')
        .getAllByRole('row')
        .find((row) => within(row).queryByText(value))?.textContent;
    expect(outcomeOf('123456')).toMatch(/Passes$/);
    expect(outcomeOf('12345')).toMatch(/Fails$/);
  });

  it('says why a hostile pattern is not tried', async () => {
    const { user } = await open();
    await paste(user, JSON.stringify([rule('Subscriptions', 'additionalData.x', { regex: '^(a+)\\1$' })]));
    region('Patterns').getByText(/refers back/);
    expect(region('Patterns').queryByRole('table')).toBeNull();
  });

  it('says what is wrong with pasted text and keeps the form', async () => {
    const { user } = await open();
    await paste(user, JSON.stringify([number]));
    await paste(user, '{"rules": 1}');
    screen.getByText(/Paste a list of rules/);
    screen.getByRole('textbox', { name: 'Service user number' });
  });
});
