// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { ReferencePage } from '#app/tools/description/ReferencePage.tsx';
import type { Description } from '#contract/description.ts';
import { serviceOpenApi } from '#server/description/openapi.ts';
import { server } from '#tests/support/fakeCalls.ts';
import { failure } from '#tests/support/fixtures.ts';
import { renderPage } from '#tests/support/page.tsx';

const document = JSON.parse(JSON.stringify(serviceOpenApi('http://service.example'))) as Description;

beforeEach(() => {
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
