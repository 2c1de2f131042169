// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { ChakraProvider } from '@chakra-ui/react';
import { describe, expect, it } from 'vitest';
import { system } from '#app/theme/system.ts';
import { stateOf } from '#machines/lib/state.ts';
import { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';
import { PaymentStep } from '#steps/payment/PaymentStep.tsx';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { facts, material } from './paymentMaterial.ts';

/** A payment at an address of a page with a history; `chosen`: its choices are complete, as a draft restores them. */
async function at(address: string, chosen = true) {
  const running = live(electronicPaymentMachine, { input: { facts } });
  await running.answer('loadMaterial', { ...material, rules: [] });
  if (chosen) {
    await running.send({ type: 'debtor.choose', debtorId: 'debtor-1' });
    await running.send({ type: 'invoices.tick', ids: ['i1'] });
  }
  const element = <PaymentStep actor={running.actor} />;
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/', address] });
  render(
    <StrictMode>
      <ChakraProvider value={system}>
        <RouterProvider router={router} />
      </ChakraProvider>
    </StrictMode>,
  );
  const prepare = async () => {
    await act(() => running.answer('prepare', { key: 'key-1', covered: [] }));
    await act(() => running.pass(500));
  };
  return {
    ...running,
    prepare,
    user: userEvent.setup(),
    state: () => stateOf(running.actor.getSnapshot()),
    query: () => router.state.location.search,
    go: (steps: number) => act(() => router.navigate(steps)),
    replace: (address: string) => act(() => router.navigate(address, { replace: true })),
  };
}

const path = '/electronicpayments';
const press = (user: ReturnType<typeof userEvent.setup>, name: string | RegExp) =>
  user.click(screen.getByRole('button', { name }));

describe('The review of a payment', () => {
  it('has an address; Back closes it, and Forward opens no other (behaviour 10.9.4)', async () => {
    const { user, prepare, state, query, go, calls } = await at(`${path}?invoices=10`);
    await press(user, 'Review');
    await prepare();
    expect(query()).toBe('?invoices=10&review=open');
    await go(-1);
    expect([state(), query()]).toEqual(['choosing.form.editing', '?invoices=10']);
    await go(1);
    expect([state(), query()]).toEqual(['choosing.form.editing', '?invoices=10']);
    expect(calls.filter(({ port }) => port === 'prepare')).toHaveLength(1);
    await press(user, 'Review');
    await prepare();
    expect([state(), query()]).toEqual(['review.ready', '?invoices=10&review=open']);
  });

  it.each(['', '?invoices=10'])(
    'stays open if the address of the form comes late, as after a reload, and gets its address again: %s',
    async (search) => {
      const { user, prepare, state, query, replace, go } = await at(path);
      await press(user, 'Review');
      await prepare();
      await replace(`${path}${search}`);
      expect(state()).toBe('review.ready');
      expect(new URLSearchParams(query()).get('review')).toBe('open');
      await go(-1);
      expect([state(), query()]).toEqual(['choosing.form.editing', search]);
    },
  );

  it('leaves no entry in the history behind when its own Back is pressed', async () => {
    const { user, prepare, state, query } = await at(path);
    await press(user, 'Review');
    await prepare();
    await press(user, 'Back');
    expect([state(), query()]).toEqual(['choosing.form.editing', '']);
  });

  it.each([
    ['complete', true],
    ['missing', false],
  ])(
    'shows the form after a reload, writes nothing and leaves the address, while choices are %s (behaviour 10.9.4)',
    async (_, chosen) => {
      const { state, query, isAsked } = await at(`${path}?review=open`, chosen);
      expect([state(), query(), isAsked('prepare')]).toEqual(['choosing.form.editing', '', false]);
    },
  );

  it('keeps its address while the payment is sent', async () => {
    const { user, prepare, state, query, go } = await at(path);
    await press(user, 'Review');
    await prepare();
    await press(user, /^Pay [\d,.]/);
    await go(-1);
    expect([state(), query()]).toEqual(['review.paying', '?review=open']);
  });

  it('can be left by Back after the payment was refused', async () => {
    const { user, prepare, refuse, state, go } = await at(path);
    await press(user, 'Review');
    await prepare();
    await press(user, /^Pay [\d,.]/);
    await act(() => refuse('pay', failure));
    await go(-1);
    expect(state()).toBe('choosing.form.editing');
  });
});
