// @vitest-environment jsdom
import { Button, ChakraProvider } from '@chakra-ui/react';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { system } from '#app/theme/system.ts';
import { EmptyState } from '#ui/EmptyState.tsx';

afterEach(cleanup);

it('an empty state shows the button that fills it, or the reason why there is none (behaviour 10.7.2)', () => {
  render(
    <ChakraProvider value={system}>
      <EmptyState action={<Button>Pay invoices</Button>}>No batches.</EmptyState>
      <EmptyState reason="Choose another country.">No providers.</EmptyState>
    </ChakraProvider>,
  );
  screen.getByRole('button', { name: 'Pay invoices' });
  screen.getByText('No providers. Choose another country.');
});

it('an empty state with neither button nor reason, or with both, does not compile (behaviour 10.7.2)', () => {
  // @ts-expect-error -- neither
  const neither = <EmptyState>Nothing.</EmptyState>;
  const both = (
    // @ts-expect-error -- both
    <EmptyState action={<Button>Pay</Button>} reason="None.">
      Nothing.
    </EmptyState>
  );
  expect([neither, both]).toHaveLength(2);
});
