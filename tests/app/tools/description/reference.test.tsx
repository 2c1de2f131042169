// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ReferencePage } from '#app/tools/description/ReferencePage.tsx';
import type { Description } from '#contract/description.ts';
import type { Json } from '#contract/json.ts';
import { serviceOpenApi } from '#server/description/openapi.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { failure } from '#tests/support/fixtures.ts';
import { renderPage } from '#tests/support/page.tsx';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const document = JSON.parse(JSON.stringify(serviceOpenApi('http://service.example'))) as Description;

beforeEach(() => {
  server.made = [];
  server.answers = { getDescription: () => document };
});

/** Unfolds an operation; jsdom opens no details by a click. */
async function unfolded(summary: string): Promise<HTMLElement> {
  const details = (await screen.findByText(summary)).closest('details')!;
  details.setAttribute('open', '');
  fireEvent(details, new Event('toggle'));
  return details;
}

describe('The page of the description', () => {
  it('lists operations and webhooks by area, with their source (behaviour 10.26.1)', async () => {
    renderPage(<ReferencePage />);
    for (const area of ['Identity', 'Network', 'Definitions', 'Subscriptions', 'Messages', 'Payments', 'Webhooks'])
      expect(await screen.findByRole('heading', { name: area, level: 2 })).toBeTruthy();
    const payments = screen.getByRole('region', { name: 'Payments' });
    expect(within(payments).getByText('POST /v3/batchpayments')).toBeTruthy();
    expect(within(payments).getAllByText('specified').length).toBeGreaterThan(0);
    expect(within(screen.getByRole('region', { name: 'Network' })).getAllByText('our choice')).toHaveLength(2);
  });

  it('shows parameters, body and responses of an operation, and opens its step (behaviour 10.26.1)', async () => {
    renderPage(<ReferencePage />);
    const details = await unfolded('Pays a batch; the idempotency key prevents a second payment.');
    const inside = within(details);
    const link = inside.getByRole('link', { name: /^Open the step/ });
    expect(link.getAttribute('href')).toBe('/electronicpayments');
    expect(
      inside.getByRole('region', { name: 'Parameters: Pays a batch; the idempotency key prevents a second payment.' })
        .textContent,
    ).toContain('x-idempotency-key');
    const body = inside.getByRole('region', {
      name: 'Body: Pays a batch; the idempotency key prevents a second payment.',
    });
    const row = within(body).getByText('data.requestedExecutionDateTime').closest('tr')!;
    expect(row.textContent).toContain('our choice');
    expect(within(body).getByText('data.externalId').closest('tr')!.textContent).toContain('specified');
    expect(within(body).getByText('data.payments[].instructedAmount.amount')).toBeTruthy();
    expect(inside.getByText(/^Response 201: Done/)).toBeTruthy();
    expect(inside.getByText(/^Response otherwise/)).toBeTruthy();
  });

  it('offers no step for what no step sends (behaviour 10.26.1)', async () => {
    renderPage(<ReferencePage />);
    const details = await unfolded('Reads the public keys that tokens are signed with.');
    expect(within(details).queryByRole('link', { name: /step/ })).toBeNull();
  });

  it('opens the operation that its address names, with an example and its calls (behaviour 10.26.2)', async () => {
    renderPage(<ReferencePage />, { at: '/reference#createBatch' });
    const details = (await screen.findByText(/^Pays a batch/)).closest('details')!;
    expect(details.open).toBe(true);
    const inside = within(details);
    expect(inside.getByRole('link', { name: 'Link to this operation' }).getAttribute('href')).toBe(
      '/reference#createBatch',
    );
    expect(inside.getByRole('link', { name: 'In the timeline' }).getAttribute('href')).toContain('find=createBatch');
    expect(inside.getByLabelText(/^Example of the body/).textContent).toContain('"amount": "120.50"');
  });

  it('finds operations by name, method and path', async () => {
    renderPage(<ReferencePage />);
    const box = await screen.findByRole('searchbox', { name: 'Filter operations' });
    await userEvent.type(box, 'post debtor');
    expect(screen.getAllByText(/^POST \/api-msg-v1\/debtor/)).toHaveLength(3);
    expect(screen.queryByText('Pays a batch; the idempotency key prevents a second payment.')).toBeNull();
    await userEvent.clear(box);
    await userEvent.type(box, 'zebra');
    expect(screen.getByText('No results for “zebra”')).toBeTruthy();
  });

  it('says that it could not be read', async () => {
    server.answers = { getDescription: () => Promise.reject(failure) }; // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    renderPage(<ReferencePage />);
    expect(await screen.findByText(failure.title)).toBeTruthy();
  });
});

describe('The example of an operation', () => {
  const sandbox = { load: () => Promise.resolve(factsAfter('subscription')) };
  const ids = factsAfter('subscription').settings;
  const answered = (method: string, path: string, status: number) => {
    const entry = timelineEntry({
      kind: 'service',
      method,
      url: `http://service.example${path}`,
      status,
      response: { headers: {}, body: '{"data":{"said":"so"}}', bytes: 22 },
    });
    server.answers['sendExample'] = () => ({ data: { interactionId: 'i-1', status } });
    server.answers['getTimeline'] = () => ({ data: [entry] });
  };
  const button = (inside: HTMLElement) => within(inside).getByRole('button', { name: /^Send in the sandbox/ });

  it('of a read is sent with what the company has, and its response shown (behaviour 10.26.3)', async () => {
    answered('GET', `/v3/subscriptions/${ids.subscriptionId}`, 200);
    renderPage(<ReferencePage />, sandbox);
    const details = await unfolded('Reads a subscription and its status.');
    await userEvent.click(button(details));
    expect(await within(details).findByText(/"so"/)).toBeTruthy();
    expect(requests('sendExample')).toMatchObject([
      { params: { operation: 'subscription' }, body: { method: 'GET', ids: [ids.subscriptionId] } },
    ]);
  });

  it('of a write asks first, and is sent as it was changed, each time under a new key (behaviour 10.26.3)', async () => {
    answered('POST', '/v3/batchpayments', 422);
    renderPage(<ReferencePage />, sandbox);
    const details = await unfolded('Pays a batch; the idempotency key prevents a second payment.');
    const body = within(details).getByLabelText('Example of the body');
    expect((body as HTMLTextAreaElement).value).toContain(`"subscriptionId": "${ids.subscriptionId}"`);
    await userEvent.clear(body);
    await userEvent.click(body);
    await userEvent.paste('{"data":1}');
    for (const times of [0, 1]) {
      await userEvent.click(button(details));
      expect(requests('sendExample')).toHaveLength(times);
      await userEvent.click(await screen.findByRole('button', { name: 'Send' }));
      expect(await within(details).findByText(/422/)).toBeTruthy();
      await vi.waitFor(() => expect(button(details).getAttribute('aria-disabled')).toBe('false'));
    }
    const sent = requests('sendExample').map(({ body: each }) => each as unknown as { body: Json; key: string }); // of this call
    expect(sent.map((each) => each.body)).toEqual([{ data: 1 }, { data: 1 }]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  });

  it('whose outcome is unknown says so, and is repeated under its key (behaviour 10.26.3)', async () => {
    const unknown = { ...failure, outcome: 'unknown' };
    server.answers['sendExample'] = () => Promise.reject(unknown); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    renderPage(<ReferencePage />, sandbox);
    const details = await unfolded('Suspends or resumes a subscription.');
    for (let times = 1; times <= 2; times += 1) {
      await userEvent.click(button(details));
      await userEvent.click(await screen.findByRole('button', { name: 'Send' }));
      expect(await within(details).findByText(failure.title)).toBeTruthy();
      await vi.waitFor(() => expect(requests('sendExample')).toHaveLength(times));
      await vi.waitFor(() => expect(button(details).getAttribute('aria-disabled')).toBe('false'));
    }
    const keys = requests('sendExample').map(({ body }) => (body as unknown as { key: string }).key); // of this call
    expect(new Set(keys).size).toBe(1);
  });

  const live = { ...factsAfter('subscription'), environment: 'live' as const };
  it.each([
    ['of a console with a live service', live, 'Lists the banks.', 'Only a console with a sandbox sends examples.'],
    ['without a company', factsAfter('organisation'), 'Reads a subscription and its status.', 'It needs a company.'],
    [
      'without an organisation',
      factsAfter('settings'),
      'Creates a company; the organisation’s key signs it.',
      'It needs an organisation.',
    ],
    ['without a user', factsAfter('company'), 'Creates a data set, with the user’s token.', 'It needs a user token.'],
    ['without a value', factsAfter('company'), 'Reads one provider with its rules.', 'It needs providerId.'],
    [
      'that a link authorises',
      factsAfter('batch'),
      'Downloads the file that carries a batch’s payments to the bank.',
      'Its address comes in a response of the service.',
    ],
  ])('%s is not sent, and says why (behaviour 10.26.3)', async (_, facts, summary, why) => {
    renderPage(<ReferencePage />, {
      load: () =>
        Promise.resolve({
          ...facts,
          settings: { ...facts.settings, ...(why.includes('providerId') && { providerId: '' }) },
        }),
    });
    const details = await unfolded(summary);
    expect(await within(details).findByText(why)).toBeTruthy();
    await userEvent.click(button(details));
    expect(requests('sendExample')).toEqual([]);
  });

  it('is none of a webhook, which the service sends', async () => {
    renderPage(<ReferencePage />, sandbox);
    const details = await unfolded('The webhook batchUpdated');
    expect(within(details).queryByRole('button', { name: /^Send in/ })).toBeNull();
  });
});
