// @vitest-environment jsdom
import { ChakraProvider } from '@chakra-ui/react';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, it } from 'vitest';
import { system } from '#app/theme/system.ts';
import { Id } from '#steps/kit/CopyButton.tsx';
import { DataTable } from '#steps/kit/DataTable.tsx';
import '#tests/support/jsdom.ts';

afterEach(cleanup);

const rows = ['Completed', 'Failed', 'Completed'].map((status, at) => ({ id: `${at}`, status, amount: '7.00 GBP' }));
type Row = (typeof rows)[number];

const draw = () =>
  render(
    <ChakraProvider value={system}>
      <MemoryRouter>
        <DataTable
          caption="payments"
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

it('each status with its count is a filter of the list, and is taken back by a second press', async () => {
  draw();
  const chips = within(screen.getByRole('group', { name: 'Filter by status' }));
  const failed = chips.getByRole('button', { name: /Failed 1$/ });
  chips.getByRole('button', { name: /Completed 2$/ });
  await userEvent.click(failed);
  expect(screen.getAllByRole('row')).toHaveLength(2);
  screen.getByText('1 of 3 payments');
  await userEvent.click(failed);
  expect(screen.getAllByRole('row')).toHaveLength(4);
});

it('an id is shown by its first eight and last four characters, and heard and copied whole', () => {
  const id = '7386dcb8-ee73-4fd9-9b5e-b5f077097d01';
  render(
    <ChakraProvider value={system}>
      <Id value={id} what="the batch id" />
    </ChakraProvider>,
  );
  expect(screen.getByText('7386dcb8…7d01').getAttribute('aria-hidden')).toBe('true');
  screen.getByText(id);
  screen.getByRole('button', { name: 'Copy the batch id' });
});
