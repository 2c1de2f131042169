// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode, type ReactNode } from 'react';
import { BrowserRouter, createMemoryRouter, RouterProvider } from 'react-router-dom';
import { ChakraProvider } from '@chakra-ui/react';
import { describe, expect, it, vi } from 'vitest';
import { system } from '#app/theme/system.ts';
import { stateOf } from '#machines/lib/state.ts';
import { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';
import { PaymentStep } from '#steps/payment/PaymentStep.tsx';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { facts, material } from './paymentMaterial.ts';

/** A payment; `chosen`: its choices are complete, as a draft restores them. */
async function payment(chosen = true) {
  const running = live(electronicPaymentMachine, { input: { facts } });
  await running.answer('loadMaterial', { ...material, rules: [] });
  if (chosen) {
    await running.send({ type: 'debtor.choose', debtorId: 'debtor-1' });
    await running.send({ type: 'invoices.tick', ids: ['i1'] });
  }
  const prepare = async () => {
    await act(() => running.answer('prepare', { key: 'key-1', covered: [] }));
    await act(() => running.pass(500));
  };
  return { ...running, prepare, state: () => stateOf(running.actor.getSnapshot()) };
}

const show = (page: ReactNode) =>
  render(
    <StrictMode>
      <ChakraProvider value={system}>{page}</ChakraProvider>
    </StrictMode>,
  );

/** A payment at an address of a page with a history. */
async function at(address: string, chosen = true) {
  const running = await payment(chosen);
  const element = <PaymentStep actor={running.actor} />;
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/', address] });
  show(<RouterProvider router={router} />);
  return {
    ...running,
    user: userEvent.setup(),
    query: () => router.state.location.search,
    go: (steps: number) => act(() => router.navigate(steps)),
    replace: (to: string) => act(() => router.navigate(to, { replace: true })),
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

  it.each(['review=open', 'review', 'review=1', 'invoices=10&review=open', 'review=open&record=i1'])(
    'is opened by no link, and the address loses only its name: %s (behaviour 10.9.4)',
    async (search) => {
      const { state, query, isAsked, go } = await at(`${path}?${search}`);
      const left = new URLSearchParams(search);
      left.delete('review');
      const rest = left.size > 0 ? `?${left.toString()}` : '';
      expect([state(), query(), isAsked('prepare')]).toEqual(['choosing.form.editing', rest, false]);
      await go(-1);
      expect(query()).toBe('');
    },
  );

  it('stays open while another part of the page writes to its address', async () => {
    const { user, prepare, state, query, replace, go } = await at(path);
    await press(user, 'Review');
    await prepare();
    await replace(`${path}?review=open&record=i1`);
    expect([state(), query()]).toEqual(['review.ready', '?review=open&record=i1']);
    await go(-1);
    expect([state(), query()]).toEqual(['choosing.form.editing', '']);
  });

  it('stays open, with its address, if it is opened again before the address of its own Back has come', async () => {
    const { actor, prepare, state } = await payment();
    history.replaceState(null, '', path);
    const address = () => window.location.search;
    show(
      <BrowserRouter>
        <PaymentStep actor={actor} />
      </BrowserRouter>,
    );
    const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
    click('Review');
    await prepare();
    expect(address()).toBe('?review=open');
    const move = vi.spyOn(history, 'go').mockImplementation(() => undefined);
    click('Back');
    click('Review');
    await prepare();
    move.mockRestore();
    const moved = new Promise((resolve) => {
      window.addEventListener('popstate', resolve, { once: true });
    });
    history.go(-1);
    await act(() => moved);
    await waitFor(() => expect(address()).toBe('?review=open'));
    expect([state(), address()]).toEqual(['review.ready', '?review=open']);
  });

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
