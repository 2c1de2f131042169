// @vitest-environment jsdom
import { act, screen, within, render } from '@testing-library/react';
import { useState } from 'react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Link, MemoryRouter } from 'react-router-dom';
import { ChakraProvider } from '@chakra-ui/react';
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { DataTable } from '#ui/DataTable.tsx';
import { filterRows, leadingNumber, rowTexts, sortRows, type Column } from '#ui/rows.ts';
import { renderPage } from '#tests/support/page.tsx';
import { system } from '#app/theme/system.ts';
import { Id } from '#ui/CopyButton.tsx';
import { applyRules } from '#tests/support/styles.ts';

interface Bill {
  id: number;
  amount: string;
  postedAt: string;
}

const columns: readonly Column<Bill>[] = [
  { id: 'name', title: 'Name', text: ({ id }) => `Bill ${id}` },
  { id: 'amount', title: 'Amount', text: ({ amount }) => amount, order: ({ amount }) => leadingNumber(amount) },
  { id: 'posted', title: 'Posted', text: ({ postedAt }) => postedAt, order: ({ postedAt }) => Date.parse(postedAt) },
  { id: 'press', title: 'Press', cell: () => 'a button' },
];

const billOf = (id: number, amount = `${id}.00 GBP`, postedAt = ''): Bill => ({ id, amount, postedAt });
const bills = (many: number) => Array.from({ length: many }, (_, index) => billOf(index + 1));

const table = (rows: readonly Bill[], address?: string) => (
  <DataTable
    caption={['bill', 'bills']}
    columns={columns}
    rows={rows}
    rowKey={({ id }) => String(id)}
    empty={{ children: 'No bills yet.', reason: 'None was sent.' }}
    {...(address === undefined ? {} : { address })}
  />
);

const names = () => screen.getAllByRole('row').flatMap((row) => row.querySelector('td')?.textContent ?? []);
const header = (title: string) => screen.getByRole('columnheader', { name: new RegExp(`^${title}`) });
const sortBy = (title: string) => userEvent.click(within(header(title)).getByRole('button'));
const box = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter bills' });
const address = () => screen.getByLabelText('address').textContent;
/** The address is written a moment after the last change. */
const settled = (expected: string) => vi.waitFor(() => expect(address()).toBe(expected), 10_000);

it.each([
  [1, '1 bill'],
  [2, '2 bills'],
])('a table of %i rows states their number: %s', (many, said) => {
  renderPage(table(bills(many)));
  expect(screen.getByRole('table', { name: said })).toBeTruthy();
  expect(screen.getByText(said)).toBeTruthy();
});

describe('the sort order of a table', () => {
  it('is changed by a column header, which announces it', async () => {
    renderPage(table([billOf(2), billOf(10), billOf(1)]));
    expect(header('Name').getAttribute('aria-sort')).toBe('none');
    await sortBy('Name');
    expect(names()).toEqual(['Bill 1', 'Bill 2', 'Bill 10']);
    expect(header('Name').getAttribute('aria-sort')).toBe('ascending');
    await sortBy('Name');
    expect(names()).toEqual(['Bill 10', 'Bill 2', 'Bill 1']);
    expect(header('Name').getAttribute('aria-sort')).toBe('descending');
  });

  it('compares amounts as numbers and times as times', async () => {
    renderPage(
      table([
        billOf(1, '9.50 GBP', '2026-11-20T09:00:00+02:00'),
        billOf(2, '10.00 GBP, 1.00 USD', '2026-11-20T08:00:00Z'),
        billOf(3, '0.99 USD', '2026-11-19T23:00:00Z'),
      ]),
    );
    await sortBy('Amount');
    expect(names()).toEqual(['Bill 3', 'Bill 1', 'Bill 2']);
    await sortBy('Posted');
    expect(names()).toEqual(['Bill 3', 'Bill 1', 'Bill 2']);
  });

  it('puts rows without a number last in either direction', () => {
    const order = (value: number) => value;
    expect(sortRows([NaN, 2, NaN, 1], { order }, false)).toEqual([1, 2, NaN, NaN]);
    expect(sortRows([NaN, 2, NaN, 1], { order }, true)).toEqual([2, 1, NaN, NaN]);
  });

  it('is not offered for a column of controls or for a single row', () => {
    const { unmount } = renderPage(table(bills(2)));
    expect(within(header('Press')).queryByRole('button')).toBeNull();
    unmount();
    renderPage(table(bills(1)));
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('the filter of a table', () => {
  it('is offered for more than ten rows', () => {
    const { unmount } = renderPage(table(bills(10)));
    expect(screen.queryByRole('searchbox')).toBeNull();
    unmount();
    renderPage(table(bills(11)));
    expect(box()).toBeTruthy();
  });

  it('keeps the rows that contain every word in any column and case, and counts them', async () => {
    renderPage(table(bills(30)));
    await userEvent.type(box(), 'gbp bILL 7');
    expect(names()).toEqual(['Bill 7', 'Bill 17', 'Bill 27']);
    expect(screen.getByRole('table', { name: '3 of 30 bills' })).toBeTruthy();
  });

  it('names words without results, and shows all rows when it is cleared', async () => {
    renderPage(table(bills(11)));
    await userEvent.type(box(), 'xyz');
    expect(screen.getByText('No results for "xyz"')).toBeTruthy();
    await userEvent.clear(box());
    expect(names()).toHaveLength(11);
  });

  it('does not submit the form around the table on Enter', async () => {
    const send = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    renderPage(<form onSubmit={send}>{table(bills(11))}</form>);
    await userEvent.type(box(), '7{Enter}');
    expect(send).not.toHaveBeenCalled();
  });
});

describe('the pages of a table', () => {
  it('contain fifty rows each', async () => {
    renderPage(table(bills(120)));
    expect(screen.getByRole('table', { name: '120 bills' })).toBeTruthy();
    expect(names()).toHaveLength(50);
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(names()[0]).toBe('Bill 51');
    await userEvent.click(screen.getByRole('button', { name: 'Last' }));
    expect(screen.getByText('101 to 120 of 120')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(names()[0]).toBe('Bill 101');
    await userEvent.click(screen.getByRole('button', { name: 'First' }));
    await userEvent.click(screen.getByRole('button', { name: 'Previous' }));
    expect(names()[0]).toBe('Bill 1');
  });

  it('return to the first page when the sort order changes', async () => {
    renderPage(table(bills(120)));
    await userEvent.click(screen.getByRole('button', { name: 'Last' }));
    await sortBy('Name');
    expect(names()[0]).toBe('Bill 1');
  });
});

describe('the filter, order and page of a table', () => {
  it('are written to the address beside its other parameters', async () => {
    renderPage(table(bills(120), 'bills-'), { at: '/list?guided=true' });
    await userEvent.type(box(), 'bill');
    await sortBy('Amount');
    await sortBy('Amount');
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await settled('/list?guided=true&bills-q=bill&bills-sort=-amount&bills-page=2');
    expect(names()[0]).toBe('Bill 70');
    await userEvent.clear(box());
    await settled('/list?guided=true&bills-sort=-amount');
  });

  it('are read from the address when the page opens', () => {
    renderPage(table(bills(120), ''), { at: '/list?q=bill&sort=-name&page=3' });
    expect(box().value).toBe('bill');
    expect(names()[0]).toBe('Bill 20');
  });

  it('fall back to valid values if the address is invalid', () => {
    renderPage(table(bills(60), ''), { at: '/list?sort=nothing&page=999' });
    expect(names()).toHaveLength(10);
  });

  it.each([
    [50, '/list?page=2', '/list'],
    [50, '/list?sort=-name&page=9', '/list?sort=-name'],
    [60, '/list?page=999', '/list?page=2'],
  ])('leave the address without a page that a list of %d rows does not have: %s', async (count, at, after) => {
    function Growing() {
      const [rows, setRows] = useState(count);
      return (
        <>
          {table(bills(rows), '')}
          <button onClick={() => setRows(rows + 1)}>Add a bill</button>
        </>
      );
    }
    renderPage(<Growing />, { at });
    await settled(after);
    const before = names()[0];
    await userEvent.click(screen.getByRole('button', { name: 'Add a bill' }));
    await settled(after);
    expect(names()[0]).toBe(before === 'Bill 50' ? 'Bill 51' : before);
  });

  it('can be cleared on a table with few rows', async () => {
    renderPage(table(bills(3), ''), { at: '/list?q=xyz' });
    await userEvent.clear(box());
    expect(names()).toHaveLength(3);
  });

  it('are reset when the user follows a link to the same page without them', async () => {
    renderPage(
      <>
        {table(bills(120), '')}
        <Link to="/list">Afresh</Link>
      </>,
      { at: '/list?q=7' },
    );
    await userEvent.click(screen.getByRole('link', { name: 'Afresh' }));
    expect(box().value).toBe('');
    await act(() => new Promise((done) => setTimeout(done, 300)));
    expect(address()).toBe('/list');
  });
});

it('an empty table states what it would contain', () => {
  renderPage(table([]));
  expect(screen.getByText('No bills yet. None was sent.')).toBeTruthy();
});

describe('the filter of a long list', () => {
  it('computes the text of each row once, whatever terms follow', () => {
    const text = vi.fn(({ id }: Bill) => `Bill ${id}`);
    const texts = rowTexts<Bill>([{ id: 'name', title: 'Name', text }]);
    const filter = (among: readonly Bill[], term: string) => filterRows(among, term, texts);
    const rows = bills(30);
    expect(filter(rows, '').length).toBe(30);
    expect(text).not.toHaveBeenCalled();
    expect(filter(rows, 'BILL 2').map(({ id }) => id)).toEqual([2, 12, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
    expect(filter([...rows], 'bill 30').map(({ id }) => id)).toEqual([30]);
    expect(text).toHaveBeenCalledTimes(30);
  });
});

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
