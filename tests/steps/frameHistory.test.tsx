// @vitest-environment jsdom
import { ChakraProvider } from '@chakra-ui/react';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { system } from '#app/theme/system.ts';
import { Authorising } from '#steps/kit/AuthorisePage.tsx';
import { renderPage } from '#tests/support/page.tsx';

/** The entries of the window's history, to which navigation in a frame adds. */
let entries = 3;
const went = vi.fn();

beforeEach(() => {
  entries = 3;
  went.mockClear();
  vi.spyOn(history, 'length', 'get').mockImplementation(() => entries);
  vi.spyOn(history, 'go').mockImplementation(went);
});
afterEach(() => {
  vi.restoreAllMocks();
  history.replaceState(null, '', '/');
});

const frame = (more: object = {}) => (
  <Authorising
    {...{ link: 'http://provider.test/authorise', elsewhere: '', expiresAt: '', framed: true, open: true, status: '' }}
    {...{ onOpen: () => undefined, onClose: () => undefined, children: 'It waits.' }}
    {...more}
  />
);

const framed = (more?: object) => <ChakraProvider value={system}>{frame(more)}</ChakraProvider>;

describe('the entries that an authorise page in a frame adds to the history', () => {
  it.each([
    ['closed', { open: false }],
    ['answered, which takes its link away', { link: '' }],
  ])('are removed when the frame is %s', (_, more) => {
    const { rerender } = render(framed());
    entries += 2;
    rerender(framed(more));
    expect(went.mock.calls).toEqual([[-2]]);
  });

  it('are removed when the step is done and no longer drawn (behaviour 10.6.4)', () => {
    const { unmount } = render(framed());
    entries += 2;
    unmount();
    expect(went.mock.calls).toEqual([[-2]]);
  });

  it('are kept when the page changes its address, or when there are none', () => {
    render(framed()).unmount();
    const { unmount } = render(framed());
    entries += 2;
    act(() => history.replaceState(null, '', '/elsewhere'));
    unmount();
    expect(went).not.toHaveBeenCalled();
  });

  it('are not removed if no frame was open', async () => {
    renderPage(frame({ open: false }));
    entries += 1;
    await userEvent.click(screen.getByRole('button', { name: 'Authorise' }));
    expect(went).not.toHaveBeenCalled();
  });
});
