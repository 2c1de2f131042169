// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { frameMachine } from '#machines/lib/frame.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { Authorising } from '#steps/kit/AuthorisePage.tsx';
import { EmbeddedPage, FrameMachineProvider } from '#steps/kit/EmbeddedPage.tsx';
import { renderPage } from '#tests/support/page.tsx';

afterEach(cleanup);

const link = 'http://provider.test/authorise?id=1';
const tab = () => screen.getByRole('link', { name: 'Open in a new tab' });
const frame = () => screen.queryByTitle(/page/i);
/** The style of the link, which differs for the primary action. */
const look = () => tab().className;

async function show(refusal: string, certain: boolean, secondary = false) {
  const machine = provideEffects(frameMachine, { readFraming: () => Promise.resolve({ refusal, certain }) });
  const ui = secondary ? (
    <EmbeddedPage link={link} title="Transfer request page" secondary />
  ) : (
    <EmbeddedPage link={link} title="Approval page" />
  );
  renderPage(<FrameMachineProvider value={machine}>{ui}</FrameMachineProvider>);
  await act(() => Promise.resolve());
}

describe('an embedded page', () => {
  it('has the way to open it in a new tab beside its frame (behaviour 4.56)', async () => {
    await show('', false);
    fireEvent.load(frame()!);
    expect([tab().getAttribute('href'), tab().getAttribute('target'), tab().getAttribute('rel')]).toEqual([
      link,
      '_blank',
      'noopener noreferrer',
    ]);
    expect(screen.getByRole('status', { name: /^State of the frame/ }).textContent).toBe('');
    expect(frame()?.getAttribute('src')).toBe(link);
  });

  it('that refuses frames is not framed, and opens by the primary action (behaviour 4.56)', async () => {
    await show('', false);
    const usual = look();
    cleanup();
    await show('It answers with X-Frame-Options: DENY', true);
    expect(frame()).toBeNull();
    expect(screen.getByRole('status', { name: /^State of the frame/ }).textContent).toBe(
      'The page cannot be shown here. It answers with X-Frame-Options: DENY.',
    );
    expect(look()).not.toBe(usual);
  });

  it('that answers with an error stays framed, and opens by the primary action', async () => {
    await show('It answers with status 404', false);
    expect(frame()).not.toBeNull();
    expect(screen.getByRole('status', { name: /^State of the frame/ }).textContent).toBe(
      'The page may not be shown here. It answers with status 404.',
    );
  });

  it('of a step with a primary action of its own gets no second one', async () => {
    await show('', false, true);
    const usual = look();
    cleanup();
    await show('It answers with X-Frame-Options: DENY', true, true);
    expect(look()).toBe(usual);
  });

  it('of a debtor, creditor or batch has the same way out', async () => {
    renderPage(
      <Authorising
        {...{ link, elsewhere: '', expiresAt: '', framed: true, open: true, status: '' }}
        onOpen={() => undefined}
        onClose={() => undefined}
      >
        It waits.
      </Authorising>,
    );
    await act(() => Promise.resolve());
    expect(tab().getAttribute('href')).toBe(link);
  });
});
