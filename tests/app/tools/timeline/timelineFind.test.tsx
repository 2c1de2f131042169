// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Find } from '#app/tools/timeline/Find.tsx';
import { noFilter, type Filter } from '#app/tools/timeline/timelineFilter.ts';
import { renderPage } from '#tests/support/page.tsx';

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

/** A timeline whose filter is stored in the address, which takes `delay` ms. */
function Timeline({ delay, applied }: { delay: number; applied: string[] }) {
  const [look, setLook] = useState<Filter>({ ...noFilter });
  const onLook = (change: Partial<Filter>) => {
    applied.push(change.find ?? '');
    setTimeout(() => setLook((before) => ({ ...before, ...change })), delay);
  };
  return (
    <>
      <Find look={look} hasReads onLook={onLook} />
      <button onClick={() => setLook({ ...noFilter, find: 'interaction-7' })}>Related</button>
    </>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter by path, id, status' });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('the filter field of the timeline', () => {
  it.each([0, 100, 400])(
    'keeps focus, caret and keys after a pause when the address follows in %d ms',
    async (delay) => {
      const applied: string[] = [];
      const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
      renderPage(<Timeline delay={delay} applied={applied} />);
      const first = field();
      await user.click(first);
      await user.keyboard('bat');
      await pass(300);
      await user.keyboard('ch');
      await pass(50);
      await user.keyboard('es');
      await pass(1000);
      expect(document.activeElement).toBe(first);
      expect(field().value).toBe('batches');
      expect(applied.at(-1)).toBe('batches');
      await user.keyboard('{Home}x');
      await pass(1000);
      expect(field().value).toBe('xbatches');
      expect(field().selectionStart).toBe(1);
    },
  );

  it('takes a filter that is set elsewhere, also in place of the text just typed', async () => {
    const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
    renderPage(<Timeline delay={0} applied={[]} />);
    await user.type(field(), 'batch');
    await pass(300);
    await user.click(screen.getByRole('button', { name: 'Related' }));
    await pass(300);
    expect(field().value).toBe('interaction-7');
  });
});
