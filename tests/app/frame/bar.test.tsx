// @vitest-environment jsdom
import { act as settle, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { BottomBar } from '#app/frame/BottomBar.tsx';
import { Shell } from '#app/frame/Shell.tsx';
import { JourneyPage } from '#app/journey/StepHost.tsx';
import type { Made } from '#contract/facts.ts';
import { companyMachine } from '#machines/onboarding/forms.machine.ts';
import { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';
import { Bar, barName, BarProvider } from '#ui/Bar.tsx';
import { AlertDialog } from '#ui/Dialog.tsx';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { pick } from '#tests/support/gestures.ts';
import { deferred } from '#tests/support/deferredPorts.ts';
import { supplying, renderPage } from '#tests/support/page.tsx';
import { material } from '#tests/steps/paymentMaterial.ts';

const act = (label: string) => ({ label, onPress: () => undefined });

/** The bar of a step, and of what leads on from it, in the order in which they are drawn. */
function Framed({ first }: { first: 'step' | 'onward' }) {
  const [start, setStart] = useState<HTMLElement | null>(null);
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const [onward, setOnward] = useState<HTMLElement | null>(null);
  const bars = [
    <Bar key="step" leave={[act('Close')]} primary={act('Log in again')} />,
    <Bar key="onward" onward primary={act('Next: Create Account')} />,
  ];
  return (
    <>
      <BarProvider value={{ start, end, onward }}>{first === 'step' ? bars : bars.toReversed()}</BarProvider>
      <BottomBar start={setStart} end={setEnd} onward={setOnward} />
    </>
  );
}

describe('the bar of a step', () => {
  it.each(['step', 'onward'] as const)('ends with the button of the next page, with the %s drawn first', (first) => {
    renderPage(<Framed first={first} />, { at: '/getnetworkaccesstoken' });
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Close',
      'Log in again',
      'Next: Create Account',
    ]);
  });
});

describe('the keyboard and the bar of a step', () => {
  const pressed: string[] = [];
  const pressing = (label: string) => ({ label, onPress: () => pressed.push(label) });
  const shell = (page: ReactNode) => renderPage(<Shell>{page}</Shell>, { at: '/createcompany' });
  beforeEach(() => void pressed.splice(0));

  it('has its primary action pressed by Ctrl+Enter or Cmd+Enter, wherever the focus is (behaviour 10.10.4)', async () => {
    shell(<Bar leave={[pressing('Cancel')]} secondary={[pressing('Refresh')]} primary={pressing('Create company')} />);
    await screen.findByRole('button', { name: 'Create company' });
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await userEvent.keyboard('{Meta>}{Enter}{/Meta}');
    expect(pressed).toEqual(['Create company', 'Create company']);
  });

  it('presses nothing while the keys are held down, so that Review is not followed by Pay (behaviour 10.10.4)', async () => {
    shell(<Bar primary={pressing('Pay')} />);
    await screen.findByRole('button', { name: 'Pay' });
    fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true, repeat: true });
    expect(pressed).toEqual([]);
  });

  it('presses nothing while the primary action is disabled or a dialog is open (behaviour 10.10.4)', async () => {
    const { unmount } = shell(<Bar primary={{ ...pressing('Pay'), rests: 'Tick the invoices first' }} />);
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    unmount();
    shell(
      <>
        <Bar primary={pressing('Pay')} />
        <AlertDialog title="Wait" closeLabel="Close" onClose={() => undefined}>
          Read this first
        </AlertDialog>
      </>,
    );
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    expect(pressed).toEqual([]);
  });

  it.each([
    ['/createcompany?guided=true', '/createorganisation?guided=true'],
    ['/settings?guided=true', '/'],
  ])('leads from %s back to %s (behaviour 10.16.15)', async (at, back) => {
    renderPage(
      <Shell>
        <Bar leave={[act('Cancel')]} />
      </Shell>,
      { at, load: () => Promise.resolve(everything) },
    );
    expect((await screen.findByRole('link', { name: 'Back' })).getAttribute('href')).toBe(back);
  });

  it('comes after the form and before the inspector in tab order (behaviour 10.16.2)', async () => {
    renderPage(
      <Shell>
        <JourneyPage id="company" />
      </Shell>,
      {
        at: '/createcompany',
        load: () => Promise.resolve(factsAfter('organisation')),
        loadJourney: supplying(companyMachine),
      },
    );
    const tab = await screen.findByRole('tab', { name: 'Request' });
    screen.getAllByRole('textbox').at(-1)!.focus();
    const passed: (string | null | undefined)[] = [];
    while (document.activeElement !== tab && passed.length < 20) {
      await userEvent.tab();
      passed.push(document.activeElement?.textContent);
    }
    expect(passed.slice(0, 2)).toEqual(['Cancel', 'Create company']);
    expect(passed.at(-1)).toBe('Request');
  });
});

describe('a disabled button of the bar', () => {
  const pay = { ...act('Pay'), rests: 'Tick the invoices first' };

  it('has its reason in the bar, before what the step has done (behaviour 10.4.2)', () => {
    renderPage(<Bar leave={[act('Close')]} reason="Batch submitted." primary={pay} />);
    const button = screen.getByRole('button', { name: 'Pay' });
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(pay.rests);
    expect(screen.queryByText(/^Batch submitted/)).toBeNull();
  });
});

describe('the bar of a payment after an earlier one', () => {
  it('shows why Pay is disabled, and neither the earlier result nor the next step (behaviour 10.4.2)', async () => {
    const { machine, answer, pass } = deferred(electronicPaymentMachine);
    const made: Made = { id: 'batch-1', name: '', at: '2026-11-20T09:00:00Z', ms: 42, method: 'POST', url: '/batchpayments', status: 200, interactionId: 'interaction-1' }; // prettier-ignore
    const facts = withFacts(everything, { made: { batch: made } });
    const page = (
      <Shell>
        <JourneyPage id="electronicPayment" />
      </Shell>
    );
    renderPage(page, {
      load: () => Promise.resolve(facts),
      loadJourney: supplying(machine),
      at: '/electronicpayments?guided=true',
    });
    const bar = within(await screen.findByRole('region', { name: barName }));
    const user = userEvent.setup();
    await user.click(await bar.findByRole('button', { name: 'Pay another' }));
    await settle(() => answer('loadMaterial', { ...material, rules: [] }));
    await pick(user, await screen.findByLabelText('Bank account'), 'debtor-1');
    await user.click(await screen.findByRole('checkbox', { name: 'Pay invoice i1' }));
    await user.click(bar.getByRole('button', { name: 'Review' }));
    const covered = [{ index: 0, state: 'paid', at: made.at, batchId: 'batch-1' }];
    await settle(() => answer('prepare', { key: 'key-1', covered }));
    await settle(() => pass(500));
    const pay = await bar.findByRole('button', { name: /^Pay \d/ });
    expect(pay.getAttribute('aria-disabled')).toBe('true');
    expect(bar.getByText(/1 invoice is paid already: tick “Pay it again anyway”/)).toBeDefined();
    expect(bar.queryByText(/^Batch submitted/)).toBeNull();
    expect(bar.queryByRole('button', { name: /^Next/ })).toBeNull();
  });
});
