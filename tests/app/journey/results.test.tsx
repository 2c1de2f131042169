// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Facts, Made, MadeKind } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { batchMachine } from '#machines/batch/batch.machine.ts';
import { companyMachine } from '#machines/onboarding/forms.machine.ts';
import { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';
import { subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { addressOf, journeyOf } from '#machines/journeys.ts';
import { creditorMachine } from '#machines/party/party.machine.ts';
import { server } from '#tests/support/fakeCalls.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { deferred } from '#tests/support/deferredPorts.ts';
import { provider, rules } from '#tests/support/fixtures.ts';
import { renderStep } from '#tests/support/page.tsx';

const at = '2030-01-01T10:00:00.000Z';
const madeAs = (id: string, more: Partial<Made> = {}): Made => ({
  id,
  name: '',
  at,
  ms: 42.4,
  method: 'POST',
  url: `http://service.test/${id}`,
  status: 201,
  interactionId: `interaction of ${id}`,
  ...more,
});
const knowing = (made: Partial<Record<MadeKind, Made>>): Facts => withFacts(everything, { made });

const entry = (more: Partial<TimelineEntry>) => ({
  id: '1',
  kind: 'service',
  interactionId: 'interaction of creditor-1',
  at,
  ms: 42,
  name: '',
  method: 'POST',
  url: 'http://service.test/api-msg-v1/creditorputs',
  status: 202,
  reason: '',
  attempt: 1,
  signature: '',
  request: { headers: {}, body: '', bytes: 0 },
  response: { headers: {}, body: '', bytes: 0 },
  ...more,
});

const result = async () => within(await screen.findByRole('region', { name: 'Result' }));

beforeEach(() => {
  server.answers = { getTimeline: () => ({ data: [] }) };
});

describe('a step that is done', () => {
  it('shows a step’s result as one card, without the introduction; another one is the second choice (behaviour 10.14.3)', async () => {
    const facts = knowing({ company: madeAs('company-1', { name: 'Applewick Trading' }) });
    renderStep('company', companyMachine, { load: () => Promise.resolve(facts), at: '/createcompany?guided=true' });
    const shown = await result();
    expect(screen.getByRole('heading', { level: 1, name: 'Applewick Trading' })).toBeDefined();
    expect(screen.getByText(/Company created$/)).toBeDefined();
    expect(screen.queryByText(journeyOf('company').purpose)).toBeNull();
    expect(shown.queryByText('Applewick Trading')).toBeNull();
    expect(shown.getByText('company-1')).toBeDefined();
    expect(within(shown.getByRole('list', { name: 'History' })).getByText('201 · 42 ms')).toBeDefined();
    expect(screen.getByText('Creating another starts empty; this one stays in Workspace.')).toBeDefined();
    expect(screen.queryByLabelText('Name')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Create another' }));
    expect(screen.getByLabelText('Name')).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Create Company' })).toBeDefined();
    expect(screen.getByText(journeyOf('company').purpose)).toBeDefined();
  });

  it.each([
    [
      'is complete',
      JSON.stringify({ name: 'Applewick Trading', externalId: 'ext-7', taxNumber: '', contactEmail: 'a@b.test' }),
      ['External id', 'Company'],
    ],
    ['is null', 'null', ['Company']],
    ['is truncated', '{"externalId":"ext-7","taxNumber":"', ['Company']],
    ['holds no text', '{"externalId":{},"taxNumber":null}', ['Company']],
  ])(
    'shows the values that matter, as far as they are known, if the recorded body %s (behaviour 10.14.5)',
    async (_, body, known) => {
      const call = { interactionId: 'interaction of company-1', status: 201, request: { headers: {}, body, bytes: 1 } };
      server.answers = { getTimeline: () => ({ data: [entry(call)] }) };
      const facts = knowing({ company: madeAs('company-1', { name: 'Applewick Trading' }) });
      renderStep('company', companyMachine, { load: () => Promise.resolve(facts), at: '/createcompany?guided=true' });
      const shown = await result();
      // The history's line can be opened once the timeline has been read.
      await shown.findByRole('button', { name: '201 · 42 ms' });
      expect(shown.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(known);
    },
  );

  it('shows a failed batch with its amount, its status and whom it pays (behaviour 10.14.5)', async () => {
    const batch = {
      batchId: 'batch-1',
      status: 'Failed',
      amount: '12.50 GBP',
      kind: 'electronic',
      postedAt: at,
      readAt: at,
    };
    const payments = ['Orchard', 'Larkfield', 'Orchard'].map((name) => ({ creditor: { name } }));
    const data = {
      debtorAccount: { name: 'Trading', identification: '12345678' },
      requestedExecutionDateTime: '2030-01-02T00:00:00Z',
      payments,
    };
    const body = JSON.stringify({ data });
    const call = { status: 201, interactionId: 'interaction of batch-1', request: { headers: {}, body, bytes: 1 } };
    server.answers = { getTimeline: () => ({ data: [entry(call)] }) };
    const facts = withFacts(knowing({ batch: madeAs('batch-1') }), {
      settings: { postedBatches: JSON.stringify([batch]) },
    });
    const address = '/electronicpayments?guided=true';
    renderStep('electronicPayment', electronicPaymentMachine, { load: () => Promise.resolve(facts), at: address });
    const shown = await result();
    expect(screen.getByRole('heading', { level: 1, name: '12.50 GBP' })).toBeDefined();
    expect(screen.getByText(/Batch Failed$/)).toBeDefined();
    expect(screen.getByRole('status', { name: 'Status' }).textContent).toContain('Failed');
    expect(await screen.findByText('3 payments to 2 creditors')).toBeDefined();
    expect(shown.getByText('Trading ·· 5678')).toBeDefined();
    expect(shown.getByText('2 January 2030 (UTC)')).toBeDefined();
  });

  it('opens the form for another subscription where the provider has rejected the last one', async () => {
    const facts = withFacts(knowing({ subscription: madeAs('subscription-1') }), {
      subscription: { subscriptionId: 'subscription-1', status: 'Rejected', suspendedByConsumer: false },
    });
    const ports = deferred(subscriptionMachine);
    const address = '/onboardingsubscription?guided=true';
    renderStep('subscription', ports.machine, { load: () => Promise.resolve(facts), at: address });
    await vi.waitFor(() => expect(ports.isAsked('loadChoice')).toBe(true));
    expect(screen.queryByRole('region', { name: 'Result' })).toBeNull();
  });

  it('shows the calls and webhooks of a message, and its form only on request (behaviour 10.15.1)', async () => {
    const webhook = { id: '2', kind: 'webhook', name: 'creditorputs', at: '2030-01-01T10:00:01.400Z', status: 204, signature: 'valid' } as const; // prettier-ignore
    server.answers = { getTimeline: () => ({ data: [entry(webhook), entry({})] }) };
    const facts = knowing({ creditor: madeAs('creditor-1', { name: 'Orchard', status: 202 }) });
    renderStep('creditor', creditorMachine, { load: () => Promise.resolve(facts), at: '/creditors?guided=true' });
    const passed = within(await (await result()).findByRole('list', { name: 'History' }));
    const said = passed.getAllByRole('listitem').map(({ children }) => children[2]?.textContent);
    expect(said).toEqual(['Sent', 'Accepted', 'Webhook received after 1.4 s', 'Stored']);
    const inspector = within(screen.getByRole('region', { name: 'Inspector' }));
    await userEvent.click(passed.getByRole('button', { name: 'signature valid' }));
    expect(inspector.getByRole('tab', { selected: true }).textContent).toMatch(/^Webhook/);
    await userEvent.click(passed.getByRole('button', { name: '202 · 42 ms' }));
    expect(inspector.getByRole('tab', { selected: true }).textContent).toBe('Response');
    await userEvent.click(screen.getByRole('button', { name: 'Create another' }));
    expect(screen.queryByRole('region', { name: 'Result' })).toBeNull();
  });

  it('has the call that made it in the inspector, not the next one (behaviour 10.14.3)', async () => {
    server.answers = { getTimeline: () => ({ data: [entry({})] }) };
    const facts = withFacts(knowing({ creditor: madeAs('creditor-1', { status: 202 }) }), {
      settings: { postedBatches: '[{}]' },
    });
    renderStep('creditor', creditorMachine, { load: () => Promise.resolve(facts), at: '/creditors?guided=true' });
    await result();
    const inspector = within(await screen.findByRole('region', { name: 'Inspector' }));
    expect(await inspector.findByText('202')).toBeDefined();
    expect(inspector.getByRole('tab', { name: 'Response' }).getAttribute('aria-selected')).toBe('true');
    await userEvent.click(inspector.getByRole('tab', { name: 'Chart' }));
    const chart = await inspector.findByRole('region', { name: /^Chart of/ });
    expect(chart.querySelector('[aria-current=step]')?.textContent).toContain('succeeded');
    await userEvent.click(inspector.getByRole('tab', { name: 'Request' }));
    await userEvent.click(screen.getByRole('button', { name: 'Create another' }));
    expect(await inspector.findByText('Not sent yet')).toBeDefined();
  });

  it('opens its form, below what was made last, where another one was asked for or the path was not (behaviour 10.14.3)', async () => {
    const facts = knowing({ creditor: madeAs('creditor-1', { name: 'Orchard' }) });
    const load = () => Promise.resolve(facts);
    const places = ['/creditors', '/creditors?guided=true&another=true'];
    for (const place of places) {
      const ports = deferred(creditorMachine);
      const { unmount } = renderStep('creditor', ports.machine, { load, at: place });
      await vi.waitFor(() => expect(ports.isAsked('loadRules')).toBe(true));
      await act(() => ports.answer('loadRules', { rules, pending: [] }));
      expect(screen.queryByRole('region', { name: 'Result' })).toBeNull();
      const last = within(await screen.findByRole('region', { name: 'Latest' }));
      expect(last.getByText('Orchard')).toBeDefined();
      expect(last.getByRole('link', { name: 'View all: Creditor Query' }).getAttribute('href')).toBe('/creditorsquery');
      unmount();
    }
  });
});

describe('the form for another subscription after a rejection', () => {
  const rejected = withFacts(everything, {
    subscription: { ...everything.subscription!, status: 'Rejected' },
    made: { subscription: madeAs('subscription-1', { name: '' }) },
  });
  const suspended = withFacts(everything, {
    subscription: { ...everything.subscription!, suspendedByConsumer: true },
    made: { subscription: madeAs('subscription-1', { name: '' }) },
  });

  it.each([
    ['from the list', rejected, '/subscriptionlist'],
    ['from the list of the guided path', rejected, '/subscriptionlist?guided=true'],
    ['from the guided path', rejected, ''],
    ['from a gate that the current one cannot pass', suspended, '/debtors'],
  ])(
    'is empty, with its own primary button and no way back to that result: %s (behaviour 10.14.6)',
    async (_, facts, then) => {
      const ports = deferred(subscriptionMachine);
      const at = addressOf('subscription', { another: true, guided: then === '', then });
      renderStep('subscription', ports.machine, { load: () => Promise.resolve(facts), at });
      await vi.waitFor(() => expect(ports.isAsked('loadChoice')).toBe(true));
      await act(() => ports.answer('loadChoice', { providers: [provider], banks: [] }));
      await screen.findByRole('button', { name: 'Create Subscription' });
      for (const name of [/^Back to/, /^Next:/]) expect(screen.queryByRole('button', { name })).toBeNull();
      expect(screen.queryByRole('region', { name: 'Result' })).toBeNull();
      if (facts === rejected) expect(screen.queryByRole('region', { name: 'Latest' })).toBeNull();
    },
  );
});

describe('a page whose address names a record that cannot be read', () => {
  const stored = () => Promise.resolve(knowing({ batch: madeAs('batch-1') }));
  const failure = { type: 'about:blank', title: 'It failed', status: 400, detail: '', call: 'getBatch' } as const;
  const opened = async (code: Problem['code'], at: string) => {
    const ports = deferred(batchMachine);
    renderStep('batch', ports.machine, { load: stored, at });
    await vi.waitFor(() => expect(ports.isAsked('findBatch')).toBe(true));
    await act(() => ports.refuse('findBatch', { ...failure, code }));
    return within(await screen.findByRole('alert'));
  };

  it.each([
    ['invalid-request', '/getbatch?batchId=%00'],
    ['not-found', '/getbatch?batchId=none'],
    ['upstream-refused', '/getbatch?batchId=a%2Fb'],
  ] as const)('leads to the list of its kind instead of repeating, after %s (behaviour 10.2.5)', async (code, at) => {
    const panel = await opened(code, at);
    expect(panel.getByRole('link').getAttribute('href')).toBe('/paymentlist');
    expect(panel.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Close' })).toBeDefined();
  });

  it.each([
    ['upstream-unreachable', '/getbatch?batchId=one'],
    ['internal', '/getbatch'],
  ] as const)('offers to repeat after %s', async (code, at) => {
    const panel = await opened(code, at);
    expect(panel.queryByRole('link')).toBeNull();
    expect(panel.getByRole('button', { name: 'Try again' })).toBeDefined();
  });
});
