// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { claimDrafts } from '#app/client/drafts.ts';
import type { Message } from '#contract/message.ts';
import { journeyOf } from '#machines/journeys.ts';
import { accountMachine } from '#machines/onboarding/account.machine.ts';
import { companyMachine } from '#machines/onboarding/company.machine.ts';
import { datasetMachine } from '#machines/onboarding/dataset.machine.ts';
import { organisationMachine } from '#machines/onboarding/organisation.machine.ts';
import { messageApproval, messageMachine } from '#machines/lib/message.machine.ts';
import { debtorMachine } from '#machines/party/party.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { enter, pick } from '#tests/support/gestures.ts';
import { unanswered } from '#tests/support/deferredPorts.ts';
import { debtor, directProvider, provider, rules } from '#tests/support/fixtures.ts';
import { bodyOfDebtor, messageOf } from '#tests/support/messages.ts';
import { renderStep } from '#tests/support/page.tsx';

const facts = factsAfter('dataset');
const machine = provideEffects(subscriptionMachine, {
  loadChoice: () => Promise.resolve({ providers: [provider, directProvider], banks: [] }),
  createSubscription: unanswered,
});
const open = () =>
  renderStep('subscription', machine, { at: '/onboardingsubscription', load: () => Promise.resolve(facts) });
/** The page of debtors, of which these await their answers. */
function openDebtors(pending: Message[]) {
  const parties = provideEffects(debtorMachine, {
    loadRules: () => Promise.resolve({ rules, pending }),
    message: provideEffects(messageMachine, { send: unanswered, sendAgain: unanswered, askOutcome: unanswered }),
    approval: provideEffects(messageApproval, { watch: unanswered }),
  });
  return renderStep('debtor', parties, { at: '/debtors', load: () => Promise.resolve(factsAfter('authorisation')) });
}
const selector = () => screen.findByLabelText<HTMLInputElement>('Select Provider');

it('a reload keeps the provider that was chosen and what was typed into its form (behaviour 4.17)', async () => {
  const { unmount } = open();
  await pick(userEvent, await selector(), provider.name);
  await enter(userEvent, screen.getByLabelText('serviceUserNumber'), '6543');
  unmount();
  open();
  await waitFor(async () => expect((await selector()).value).toBe(provider.name));
  expect(screen.getByLabelText<HTMLInputElement>('serviceUserNumber').value).toBe('6543');
});

it('a reload restores the examples and what was typed before and since, not what they replaced (behaviour 4.18)', async () => {
  const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
  const shown = async () => [
    (await field('debtorAccount.name')).value,
    (await field('debtorAgent.identification')).value,
  ];
  const first = openDebtors([]);
  await enter(userEvent, await field('debtorAccount.name'), 'Ours');
  await enter(userEvent, await field('debtorAgent.identification'), 'no code');
  await userEvent.click(screen.getByRole('button', { name: 'Fill with example' }));
  expect(await shown()).toEqual(['Ours', '200000']);
  first.unmount();
  const second = openDebtors([]);
  await waitFor(async () => expect(await shown()).toEqual(['Ours', '200000']));
  await userEvent.type(await field('debtorAgent.identification'), '9');
  second.unmount();
  openDebtors([]);
  await waitFor(async () => expect(await shown()).toEqual(['Ours', '2000009']));
});

it('what another user of the tab has typed is not shown (threat 2.13)', async () => {
  claimDrafts('ada');
  const { unmount } = open();
  await pick(userEvent, await selector(), provider.name);
  unmount();
  claimDrafts('ada');
  const reloaded = open();
  await waitFor(async () => expect((await selector()).value).toBe(provider.name));
  reloaded.unmount();
  claimDrafts('ben');
  open();
  expect((await selector()).value).toBe('');
});

it('what was typed for another debtor is kept while the answer to an earlier one is awaited (behaviour 4.17)', async () => {
  const sent = messageOf({ messageId: 'put-1', kind: 'debtoraccountputs', data: bodyOfDebtor(debtor) });
  const name = () => screen.findByLabelText<HTMLInputElement>('debtorAccount.name');
  const another = async () => userEvent.click(await screen.findByRole('button', { name: 'Create another debtor' }));
  const { unmount } = openDebtors([sent]);
  await another();
  await enter(userEvent, await name(), 'Second account');
  unmount();
  openDebtors([sent]);
  expect((await name()).value).toBe(debtor.debtorAccountname);
  await another();
  await waitFor(async () => expect((await name()).value).toBe('Second account'));
});

it.each([
  ['organisation', organisationMachine],
  ['company', companyMachine],
  ['account', accountMachine],
  ['dataset', datasetMachine],
] as const)('a reload keeps what was typed for another %s (behaviour 4.17)', async (id, itsMachine) => {
  const openForm = async () => {
    const shown = renderStep(id, provideEffects(itsMachine, { submit: unanswered }), {
      at: journeyOf(id).path,
      load: () => Promise.resolve(everything),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Create another' }));
    const [field] = await screen.findAllByRole<HTMLInputElement>('textbox');
    return { ...shown, field: field! };
  };
  const first = await openForm();
  await userEvent.clear(first.field);
  await enter(userEvent, first.field, 'Typed');
  first.unmount();
  const { field } = await openForm();
  await waitFor(() => expect(field.value).toBe('Typed'));
});
