// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { noFilter, type Filter } from '#app/tools/timeline/timelineFilter.ts';
import { Workbench } from '#app/tools/timeline/Workbench.tsx';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { renderPage } from '#tests/support/page.tsx';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const begin = Date.now();
const ago = (seconds: number) => new Date(begin - seconds * 1000).toISOString();
const entries = [
  timelineEntry({ id: '2', kind: 'service', method: 'POST', status: 500, at: ago(20), ms: 40, interactionId: 'i' }),
  timelineEntry({ id: '1', kind: 'call', method: 'POST', status: 502, at: ago(21), ms: 1100, interactionId: 'i' }),
];

beforeEach(() => {
  server.made.length = 0;
  server.answers = { getTimeline: () => ({ data: entries, total: 2 }) };
});

/** A filter of its own: the lists of the timeline outlast a file. */
const shown = async (look: Partial<Filter> = {}, close?: boolean) => {
  const onLook = vi.fn<(change: Partial<Filter>) => void>();
  renderPage(
    <Workbench
      look={{ ...noFilter, segment: 'all', find: 'strip', ...look }}
      onLook={onLook}
      heading={null}
      close={close}
    />,
  );
  await screen.findByRole('table', { name: 'Timeline' });
  return onLook;
};

it('the strip says how many calls it shows and how many failed, and asks for entries without contents', async () => {
  await shown();
  expect((await screen.findByRole('img', { name: /^2 calls from/ })).getAttribute('aria-label')).toMatch(/; 2 failed$/);
  expect(requests('getTimeline').map(({ query }) => [query?.['brief'], query?.['limit']])).toContainEqual([
    'true',
    '999',
  ]);
});

it('the ends of a range are moved by the arrow keys, never past each other, and the range ends by its own button', async () => {
  const [from, to] = [ago(60), ago(59.9)];
  const onLook = await shown({ from, to });
  fireEvent.keyDown(await screen.findByRole('slider', { name: 'End of the range' }), { key: 'ArrowRight' });
  expect(Date.parse(onLook.mock.lastCall?.[0].to ?? '')).toBeGreaterThan(Date.parse(to));
  fireEvent.keyDown(screen.getByRole('slider', { name: 'Begin of the range' }), { key: 'ArrowRight' });
  const { from: begin = '', to: end = '' } = onLook.mock.lastCall?.[0] ?? {};
  expect(Date.parse(begin)).toBeLessThan(Date.parse(end));
  fireEvent.click(screen.getByTitle('Show all times'));
  expect(onLook).toHaveBeenLastCalledWith({ from: '', to: '' });
});

it('an entry beneath its call says when it began after it, and how long it took', async () => {
  await shown();
  expect(screen.getByRole('img', { name: 'started after 0 ms, took 1.1 s' })).toBeDefined();
  expect(screen.getByRole('img', { name: 'started after 1 s, took 40 ms' })).toBeDefined();
});

it('there is no strip in the dock', async () => {
  await shown({}, true);
  expect(screen.queryByRole('img', { name: /calls from/ })).toBeNull();
});
