// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { transferMachine } from '#machines/payment/transfer.machine.ts';
import { TransferStep } from '#steps/payment/TransferStep.tsx';
import { everything } from '#tests/support/facts.ts';
import { drawn } from './drawn.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('eTransfer funding', () => {
  it('opens the transfer page in a new tab that cannot reach back, and says so (threat 1.6)', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const { user } = drawn(transferMachine, TransferStep, { input: { facts: everything } });
    expect(open).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Pay $1000.00' }));
    expect(open.mock.calls).toEqual([[everything.transferUrl, '_blank', 'noopener,noreferrer']]);
    expect(screen.getByText(/was opened in a new tab/).role).toBe('status');
  });

  it('shows the same page in a frame that cannot move the console elsewhere (threat 1.5)', () => {
    drawn(transferMachine, TransferStep, { input: { facts: everything } });
    expect(screen.getByTitle<HTMLIFrameElement>('Transfer request page').src).toBe(everything.transferUrl);
    expect(screen.getByTitle('Transfer request page').getAttribute('sandbox')).not.toContain('top-navigation');
  });
});
