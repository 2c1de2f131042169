// @vitest-environment jsdom
import { ChakraProvider } from '@chakra-ui/react';
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { system } from '#app/theme/system.ts';
import { Id } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { applyRules } from '#tests/support/styles.ts';

applyRules(document.defaultView!); // the document is shown

const rows = ['Completed', 'Failed', 'Completed'].map((status, at) => ({ id: `${at}`, status, amount: '7.00 GBP' }));
type Row = (typeof rows)[number];

const draw = () =>
  render(
    <ChakraProvider value={system}>
      <MemoryRouter>
        <DataTable
          caption={['payment', 'payments']}
          columns={[
            { id: 'status', title: 'Status', text: ({ status }: Row) => status },
            { id: 'amount', title: 'Amount', figures: true, text: ({ amount }: Row) => amount },
          ]}
          rows={rows}
          rowKey={({ id }) => id}
          statusOf={({ status }) => status}
          empty={null}
        />
      </MemoryRouter>
    </ChakraProvider>,
  );

it('a status button with its count filters the table, and a second press removes the filter', async () => {
  draw();
  const chips = within(screen.getByRole('group', { name: 'Filter by status' }));
  const failed = chips.getByRole('button', { name: /Failed 1$/ });
  chips.getByRole('button', { name: /Completed 2$/ });
  await userEvent.click(failed);
  expect(failed.getAttribute('aria-pressed')).toBe('true');
  expect(screen.getAllByRole('row')).toHaveLength(2);
  screen.getByText('1 of 3 payments');
  await userEvent.click(failed);
  expect(screen.getAllByRole('row')).toHaveLength(4);
});

/** With separate styles: those of another test's document count as inserted. */
const drawnId = (id: string) =>
  render(
    <CacheProvider value={createCache({ key: 'own' })}>
      <ChakraProvider value={system}>
        <Id value={id} what="the batch id" />
      </ChakraProvider>
    </CacheProvider>,
  );
/** Whether the full id is visible, not only read aloud. */
function isWhole(id: string): boolean {
  document.body.toggleAttribute('data-anew'); // jsdom keeps what it has computed until the document changes
  return getComputedStyle(screen.getByText(id)).clipPath !== 'inset(50%)';
}

describe('an id in a table', () => {
  const id = '7386dcb8-ee73-4fd9-9b5e-b5f077097d01';

  it.each([
    ['a UUID', id, '7386dcb8…7d01'],
    ['a name with spaces and slashes', 'batches/2026 11/applewick', 'batches/…wick'],
    ['one character more than are shown whole', '12345678901234567', '12345678…4567'],
  ])('that is %s is shown shortened, and read aloud and copied in full', async (_, value, short) => {
    const user = userEvent.setup();
    drawnId(value);
    expect(screen.getByText(short).getAttribute('aria-hidden')).toBe('true');
    expect(screen.getByText(value).closest('[aria-hidden]')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Copy the batch id' }));
    expect(await navigator.clipboard.readText()).toBe(value);
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeDefined();
  });

  it.each(['1', 'batch-7', '1234567890123456'])('as short as %s is shown in full', (value) => {
    const { container } = drawnId(value);
    expect(screen.getByText(value).closest('[aria-hidden]')).toBeNull();
    expect(container.textContent).not.toContain('…');
  });

  it('is shown in full while its copy button has the focus (behaviour 10.16.12)', async () => {
    const user = userEvent.setup();
    drawnId(id);
    expect(isWhole(id)).toBe(false);
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Copy the batch id' }));
    expect(isWhole(id)).toBe(true);
    await user.tab();
    expect(isWhole(id)).toBe(false);
  });

  it('announces that copying is not possible if the browser refuses it', async () => {
    const user = userEvent.setup();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    drawnId(id);
    await user.click(screen.getByRole('button', { name: 'Copy the batch id' }));
    expect(await screen.findByRole('button', { name: 'Copying is not possible here' })).toBeDefined();
  });
});
