import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { ResponseTab } from '#app/journey/inspector/ResponseTab.tsx';
import { WebhookTab } from '#app/journey/inspector/WebhookTab.tsx';
import { companyHeader } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { companyMachine } from '#machines/onboarding/forms.machine.ts';
import { userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import { debtorMachine } from '#machines/party/party.machine.ts';
import { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';
import type { PaymentMaterial } from '#machines/payment/payment.ts';
import { settingsMachine } from '#machines/settings/settings.machine.ts';
import { ownForm } from '#rules/forms.ts';
import { rule } from '#tests/rules/support.ts';
import { server } from '#tests/support/fakeCalls.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { enter } from '#tests/support/gestures.ts';
import { deferred } from '#tests/support/deferredPorts.ts';
import { creditor, debtor, invoiceOf, rules } from '#tests/support/fixtures.ts';
import { renderPage, renderStep } from '#tests/support/page.tsx';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

/** What is lit in the body that is about to be sent. */
const lit = () =>
  [...screen.getByRole('region', { name: 'Inspector' }).querySelectorAll('[data-lit]')].map((line) =>
    line.textContent?.trim().replaceAll('\u00a0', ' '),
  );

/** Opens the page of a journey, whose only reading gives `material`, and waits for the inspector. */
async function open(
  id: JourneyId,
  machine: AnyStateMachine,
  after: Parameters<typeof factsAfter>[0],
  material?: object,
) {
  const ports = deferred(machine);
  renderStep(id, ports.machine, { load: () => Promise.resolve(factsAfter(after)) });
  const [reading] = ['loadRules', 'loadMaterial'].filter((name) => name in machine.implementations.actors);
  if (reading) {
    await waitFor(() => expect(ports.isAsked(reading)).toBe(true));
    await act(() => ports.answer(reading, material));
  }
  await within(await screen.findByRole('region', { name: 'Inspector' })).findByText('Not sent yet');
  return userEvent.setup();
}

describe('the field that has the focus', () => {
  it('has its line of the request highlighted, and no line is without a focused field', async () => {
    const user = await open('company', companyMachine, 'organisation');
    expect(lit()).toEqual([]);
    for (const { id, label, required } of ownForm('company').fields) {
      await user.click(screen.getByLabelText(required ? label : `${label} (optional)`));
      expect(lit()).toEqual([expect.stringMatching(RegExp(`^"${id}": "",?$`))]);
    }
    act(() => (document.activeElement as HTMLElement).blur()); // what has the focus is one
    expect(lit()).toEqual([]);
  });

  it('keeps its line highlighted while the user types, and the next field takes over by keyboard', async () => {
    const user = await open('company', companyMachine, 'organisation');
    await user.click(screen.getByLabelText('Name'));
    await user.keyboard('Applewick');
    expect(lit()).toEqual(['"name": "Applewick",']);
    await user.tab();
    const [line] = lit();
    expect(line).not.toContain('Applewick');
  });

  it('has the line highlighted that its rule names, at any depth', async () => {
    const user = await open('debtor', debtorMachine, 'authorisation', { rules, pending: [] });
    await user.type(screen.getByLabelText('debtorAccount.name'), 'Main');
    expect(lit()).toEqual(['"name": "Main"']);
    await user.type(screen.getByLabelText('debtorAgent.identification'), '2');
    expect(lit()).toEqual(['"identification": "2"']);
  });

  it('has its line highlighted in the list entry that a rule names', async () => {
    const listed = [
      rule('DebtorAccounts', 'owners', { fieldType: 'Array' }),
      rule('DebtorAccounts', 'owners.name', { uiLabel: 'Owner' }),
      rule('DebtorAccounts', 'owners.city', { uiLabel: 'City' }),
    ];
    const user = await open('debtor', debtorMachine, 'authorisation', { rules: listed, pending: [] });
    await user.type(screen.getByLabelText('Owner'), 'Ann');
    await user.type(screen.getByLabelText('City'), 'Leeds');
    expect(lit()).toEqual(['"city": "Leeds"']);
    await user.click(screen.getByLabelText('Owner'));
    expect(lit()).toEqual(['"name": "Ann",']);
  });
});

describe('the choices of a payment', () => {
  const material: PaymentMaterial = {
    rules: [rule('BatchPayments', 'payments.additionalData.purpose', { uiLabel: 'Purpose' })],
    debtors: [debtor],
    creditors: [creditor],
    invoices: [invoiceOf('i1', '120.50')],
    fileFormats: [],
    formatsFailed: null,
    maximumPayments: 100,
    instrument: 'Faster Payments',
    today: '2026-11-20',
  };

  it('have their lines highlighted: account, day, invoices, and the members that rules ask of each payment (behaviour 10.16.9)', async () => {
    const user = await open('electronicPayment', electronicPaymentMachine, 'creditor', material);
    const focus = (name: string) => act(() => screen.getByLabelText(name).focus());
    focus('Bank account');
    expect(lit()[0]).toMatch(/^▾"debtor": \{/);
    focus('Execution date');
    expect(lit()).toEqual(['"requestedExecutionDateTime": "2026-11-20T00:00:00Z",']);
    await user.click(await screen.findByRole('checkbox', { name: 'Pay invoice i1' }));
    expect(lit()[0]).toMatch(/^.?"payments": \[/);
    await enter(user, screen.getByLabelText('Purpose'), 'goods');
    expect(lit()).toEqual(['▾"additionalData": {  string on the wire', '"purpose": "goods"', '}']);
  });
});

describe('a body of the record', () => {
  const note = 'Only the first part of these 400 B was recorded.';
  const body = '{"access_token":"$TOKEN"}';
  const response = { headers: {}, body, bytes: 400 };

  it('is marked as truncated only if a part is missing, not if secrets are masked', () => {
    const { unmount } = renderPage(<ResponseTab of="Create Company" entry={timelineEntry({ response })} />);
    const tree = screen.getByRole('tree', { name: 'response body of Create Company' });
    expect(tree.textContent).toContain('$TOKEN');
    expect(screen.queryByText(note)).toBeNull();
    unmount();
    renderPage(
      <ResponseTab of="Create Company" entry={timelineEntry({ response: { ...response, truncated: true } })} />,
    );
    expect(screen.getByText(note)).toBeDefined();
  });

  it('is marked in the same way for a webhook', () => {
    const webhook = timelineEntry({ kind: 'webhook', request: { ...response, truncated: true } });
    renderPage(<WebhookTab of={timelineEntry()} webhooks={[webhook]} />);
    expect(screen.getByText(note)).toBeDefined();
  });
});

describe('a request of the page', () => {
  const sent = (more: Partial<TimelineEntry>) => timelineEntry({ id: '7', kind: 'service', method: 'GET', ...more });
  const passed = (...entries: TimelineEntry[]) => {
    server.answers = { getTimeline: () => ({ data: entries }) };
  };
  const opened = (id: JourneyId, machine: AnyStateMachine, facts: Facts) =>
    renderStep(id, deferred(machine).machine, { load: () => Promise.resolve(facts) });
  const inspector = () => screen.queryByRole('region', { name: 'Inspector' });

  it('is not announced while a gate blocks the page (behaviour 10.16.16)', async () => {
    opened('company', companyMachine, factsAfter('settings'));
    await screen.findByRole('alertdialog');
    expect(await screen.findByText(/^No request yet/)).toBeTruthy();
    expect(screen.queryByText('Not sent yet')).toBeNull();
  });

  it('folds the inspector while there is none, until the user opens it (behaviour 10.16.16)', async () => {
    passed(sent({ url: 'http://service.test/v3/providers/provider-1' }));
    opened('settings', settingsMachine, factsAfter('nothing'));
    const button = await screen.findByRole('button', { name: 'Inspector' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(within(inspector()!).getByText(/^No request yet/)).toBeTruthy();
  });

  it('is shown for settings and user token, whichever page sent it', async () => {
    passed(sent({ url: 'http://service.test/v3/providers?country=GB', name: 'getFacts' }));
    const { unmount } = opened('settings', settingsMachine, factsAfter('settings'));
    expect(await screen.findByText('/v3/providers?country=GB')).toBeTruthy();
    unmount();
    passed(sent({ url: 'http://service.test/idp/userinfo', name: 'storeUserToken' }));
    renderStep('userToken', deferred(userTokenMachine).machine, {
      load: () => Promise.resolve(factsAfter('userToken')),
      input: () => ({ outcome: 'ok', interactionId: '' }),
    });
    expect(await screen.findByText('/idp/userinfo')).toBeTruthy();
  });

  it.each(['access_denied', 'login-unusable', 'console-unreachable'])(
    'shows no response of an earlier login after a login ended with %s (behaviour 7.19)',
    async (outcome) => {
      passed(sent({ id: '7', url: 'http://service.test/idp/userinfo', name: 'storeUserToken' }));
      renderStep('userToken', userTokenMachine, {
        load: () => Promise.resolve(factsAfter('userToken')),
        input: () => ({ outcome, interactionId: '' }),
      });
      await userEvent.click(await screen.findByRole('tab', { name: 'Response' }));
      expect(await screen.findByText(/^No response yet/)).toBeTruthy();
    },
  );

  it('is chosen from a list of the calls by time, status and path', async () => {
    passed(
      sent({ id: '7', url: 'http://service.test/v3/providers?country=GB', name: 'getFacts' }),
      sent({ id: '8', url: 'http://service.test/v3/providers?country=US', name: 'getFacts' }),
    );
    opened('settings', settingsMachine, factsAfter('settings'));
    const calls = await screen.findByRole('combobox', { name: 'Call' });
    await userEvent.click(calls);
    await userEvent.click(screen.getByRole('option', { name: /^\d\d:\d\d:\d\d 200 GET \/v3\/providers\?country=GB$/ }));
    expect(calls).toHaveProperty('value', expect.stringContaining('country=GB'));
  });

  it('of a message is shown as sent while its answer is awaited (behaviour 10.16.16)', async () => {
    const scoped = { headers: { [companyHeader]: 'first' }, body: '', bytes: 0 };
    const by = (interactionId: string, more: Partial<TimelineEntry>) =>
      timelineEntry({ interactionId, journey: 'debtor', request: scoped, ...more });
    const url = 'http://service.test/api-msg-v1/debtoraccountputs';
    passed(
      by('newer', { id: '12', kind: 'service', method: 'POST', status: 500, url }),
      by('newer', { id: '11', kind: 'call', name: 'putDebtor' }),
      by('message-9', { id: '10', kind: 'service', method: 'POST', status: 202, url }),
      by('message-9', { id: '9', kind: 'call', name: 'putDebtor' }),
    );
    const ports = deferred(debtorMachine);
    renderStep('debtor', ports.machine, { load: () => Promise.resolve(factsAfter('authorisation')) });
    await waitFor(() => expect(ports.isAsked('loadRules')).toBe(true));
    await act(() => ports.answer('loadRules', { rules, pending: [] }));
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('debtorAccount.name'), 'Main');
    await user.type(screen.getByLabelText('debtorAgent.identification'), '200000');
    expect(within(inspector()!).getByText('Not sent yet')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Create debtor' }));
    await waitFor(() => expect(ports.isAsked('send')).toBe(true));
    await act(() => ports.answer('send', { messageId: 'message-9', pending: false, held: false }));
    expect(within(inspector()!).queryByText('Not sent yet')).toBeNull();
    expect(within(inspector()!).getByText('202')).toBeTruthy();
  });

  it('has no response of an earlier one before it is sent (behaviour 10.16.16)', async () => {
    passed(sent({ method: 'POST', url: 'http://service.test/auth-v1/companies', interactionId: 'i' }), timelineEntry({ id: '8', kind: 'call', name: 'createCompany', interactionId: 'i', journey: 'company' })); // prettier-ignore
    const user = await open('company', companyMachine, 'organisation');
    await user.click(screen.getByRole('tab', { name: 'Response' }));
    expect(await screen.findByText(/^No response yet/)).toBeTruthy();
  });
});
