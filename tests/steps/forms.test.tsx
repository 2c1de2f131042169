// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import userEvent from '@testing-library/user-event';
import {
  accountMachine,
  companyMachine,
  datasetMachine,
  organisationMachine,
} from '#machines/onboarding/forms.machine.ts';
import { AccountStep, CompanyStep, DatasetStep } from '#steps/onboarding/FormSteps.tsx';
import { filled, typed } from '#tests/support/bodies.ts';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { enter, pick } from '#tests/support/gestures.ts';
import { failure, debtor, directProvider, provider, rules } from '#tests/support/fixtures.ts';
import { claimDrafts } from '#app/client/drafts.ts';
import type { Message } from '#contract/message.ts';
import { journeyOf } from '#machines/journeys.ts';
import { messageApproval, messageMachine } from '#machines/lib/message.machine.ts';
import { debtorMachine } from '#machines/party/party.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { unanswered } from '#tests/support/deferredPorts.ts';
import { bodyOfDebtor, messageOf } from '#tests/support/messages.ts';
import { renderStep } from '#tests/support/page.tsx';
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

it('a reload says at once that it is not known what became of the form that was sent (behaviour 4.26)', async () => {
  const submit = () => Promise.reject(Object.assign(new Error(), { ...failure, outcome: 'unknown' }));
  const openForm = () =>
    renderStep('account', provideEffects(accountMachine, { submit }), {
      at: journeyOf('account').path,
      load: () => Promise.resolve(factsAfter('userToken')),
    });
  const said = /may have taken effect/;
  const { unmount } = openForm();
  await enter(userEvent, await screen.findByRole('textbox'), 'Typed');
  expect(screen.queryByText(said)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  await screen.findByText(said);
  unmount();
  openForm();
  await screen.findByText(said);
  expect((await screen.findByRole<HTMLInputElement>('textbox')).value).toBe('Typed');
});
