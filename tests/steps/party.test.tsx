// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { creditorMachine, debtorMachine } from '#machines/party/party.machine.ts';
import { CreditorStep, DebtorStep } from '#steps/party/PartyStep.tsx';
import { failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { rule } from '#tests/rules/support.ts';
import { enter } from '#tests/support/gestures.ts';
import { drawn } from './drawn.tsx';

const rules = [
  rule('DebtorAccounts', 'debtorAccount.name', { uiLabel: 'Account name' }),
  rule('DebtorAccounts', 'debtorAgent.identification', {
    uiLabel: 'Sort code',
    regex: '^\\d{6}$',
    errorMessage: 'Six digits, please',
  }),
  rule('Creditors', 'creditor.name', { uiLabel: 'Payee name' }),
];

async function filledDebtor() {
  const step = drawn(debtorMachine, DebtorStep);
  await step.answer('loadRules', { rules, pending: [] });
  await enter(step.user, screen.getByLabelText('Account name'), 'Main account');
  await enter(step.user, screen.getByLabelText('Sort code'), '200000');
  return step;
}

const submit = () => screen.getByRole('button', { name: 'Create debtor' });

describe('creating a debtor', () => {
  it("asks for what the provider's rules name and nothing else", async () => {
    const { answer } = drawn(debtorMachine, DebtorStep);
    await answer('loadRules', { rules, pending: [] });
    expect(screen.getAllByRole('textbox')).toHaveLength(2);
    expect(screen.getByLabelText('Sort code')).toBeTruthy();
  });

  it("shows the rule's own message at the field and in the summary, and sends nothing", async () => {
    const { answer, user, calls } = drawn(debtorMachine, DebtorStep);
    await answer('loadRules', { rules, pending: [] });
    await user.type(screen.getByLabelText('Account name'), 'Main account');
    await user.type(screen.getByLabelText('Sort code'), '20-00-00');
    await user.click(submit());
    expect(screen.getByRole('link', { name: 'Six digits, please' })).toBeTruthy();
    expect(screen.getAllByText('Six digits, please')).toHaveLength(2);
    expect(calls.map(({ port }) => port)).not.toContain('send');
  });

  it('puts nested values for the subscription that the rules belong to', async () => {
    const { user, pending } = await filledDebtor();
    await user.click(submit());
    expect(pending('send').input).toEqual({
      request: 'put',
      party: 'debtor',
      subscriptionId: 'subscription-1',
      body: { debtorAccount: { name: 'Main account' }, debtorAgent: { identification: '200000' } },
      again: false,
    });
    expect(screen.getByRole('button', { name: 'Sending …' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('offers a new link once the link of its authorise page has expired', async () => {
    const { user, answer, pass } = await filledDebtor();
    await user.click(submit());
    await answer('send', { messageId: 'message-9', pending: false, held: false });
    const linked = async (at: string, port = 'watch') => {
      await pass(1000);
      const authorise = { authorise: `http://provider.test/${at}`, authoriseExpiresAt: `2026-11-20T${at}:00:00Z` };
      await answer(port, { state: 'waiting', detail: '', followed: true, ...authorise });
    };
    await linked('09', 'askOutcome');
    await user.click(screen.getByRole('link', { name: 'Authorise ↗' }));
    await linked('09');
    const fresh = () => screen.queryByRole('link', { name: 'Use the new link ↗' });
    expect(fresh()).toBeNull();
    await linked('10');
    expect(fresh()?.getAttribute('href')).toBe('http://provider.test/10');
  });
});

describe('a message whose answer was lost', () => {
  const kept = (messageId: string, name: string) => messageOf({ messageId, name, resourceId: name, forwarded: false });

  it('has a button while it is followed, which resends it with its id and disappears once the service has it', async () => {
    const { user, answer, pending } = drawn(creditorMachine, CreditorStep);
    await answer('loadRules', { rules, pending: [kept('m-1', 'Paper & Sons')] });
    const button = () => screen.queryByRole('button', { name: 'Send again' });
    expect(screen.getByText(/The outcome is unknown/)).toBeTruthy();
    await user.click(button()!); // shown, or the test ends here
    expect(pending('sendAgain').input).toEqual({ messageId: 'm-1' });
    expect(button()?.getAttribute('aria-disabled')).toBe('true');
    await answer('sendAgain', { ...kept('m-1', 'Paper & Sons'), forwarded: true });
    expect(button()).toBeNull();
    expect(screen.queryByText(/The outcome is unknown/)).toBeNull();
    expect(screen.getByText(/Waiting for .+\. You may leave this page\./)).toBeTruthy();
  });

  it('has a button in the list; input is kept whatever the outcome', async () => {
    const { user, answer, refuse, pending } = drawn(creditorMachine, CreditorStep);
    await answer('loadRules', { rules, pending: [kept('m-1', 'Paper & Sons'), kept('m-2', 'Ink & Co')] });
    await user.click(screen.getByRole('button', { name: 'Create another creditor' }));
    await user.type(screen.getByLabelText('Payee name'), 'Typed');
    await user.click(screen.getByRole('button', { name: 'Send again Ink & Co' }));
    expect(pending('sendAgain').input).toEqual({ messageId: 'm-2' });
    await refuse('sendAgain', failure);
    await user.click(screen.getByRole('button', { name: 'Send again Ink & Co' }));
    await answer('sendAgain', { ...kept('m-2', 'Ink & Co'), forwarded: true });
    expect(screen.queryByRole('button', { name: 'Send again Ink & Co' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Send again Paper & Sons' })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Payee name').value).toBe('Typed');
  });
});
