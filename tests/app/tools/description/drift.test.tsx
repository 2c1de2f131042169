// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DriftPage } from '#app/tools/description/DriftPage.tsx';
import { EntryDifferences } from '#app/tools/timeline/EntryDifferences.tsx';
import type { Drift } from '#contract/description.ts';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { renderPage } from '#tests/support/page.tsx';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const at = '2026-11-23T09:00:00.000Z';
const frozen = {
  call: 'subscription',
  path: 'data.status',
  expected: 'one of Received, Authorised',
  came: '"Frozen"',
  times: 3,
  effect: 'works' as const,
  first: at,
  last: at,
  entry: '7',
};
const keys = { ...frozen, call: 'newCall', path: 'keys', expected: 'a list', came: 'nothing', times: 1 };
const drift = (more: Partial<Drift> = {}) => ({
  data: { differences: [frozen, keys], compared: 12, since: at, left: [], ...more },
});
const rule = {
  on: 'call',
  of: 'subscription',
  fault: { kind: 'changed', path: 'data.status', came: '"Frozen"' },
  times: 'always',
  probability: 1,
  seed: 1,
};
const live = { load: () => Promise.resolve({ ...factsAfter('settings'), environment: 'live' as const }) };

beforeEach(() => {
  server.made.length = 0;
  server.answers = {
    getDrift: () => drift(),
    setFault: ({ body }) => ({ data: { ...body, ruleId: 'r', asked: 0, happened: 0 } }),
  };
});

describe('The list of differences', () => {
  it('says how many there are since when, and links each to its entry (behaviour 10.24.5)', async () => {
    renderPage(<DriftPage />);
    expect(await screen.findByText(/^2 differences from the description since Monday/)).toBeTruthy();
    const link = screen.getByRole('link', { name: 'subscription' });
    expect(link.getAttribute('href')).toBe('/timeline?entry=7');
    expect(screen.getByText('in 12 responses and webhooks', { exact: false })).toBeTruthy();
  });

  it('says that nothing was compared, instead of that nothing differs (behaviour 10.24.5)', async () => {
    server.answers['getDrift'] = () =>
      drift({ differences: [], compared: 0, since: '', left: ['1 entry recorded in part, which cannot be compared.'] });
    renderPage(<DriftPage />);
    expect(await screen.findByText(/Nothing was compared/)).toBeTruthy();
    expect(screen.getByText(/recorded in part/)).toBeTruthy();
    expect(screen.queryByText(/0 differences/)).toBeNull();
  });

  it('says that all responses match, and folds what was not compared (behaviour 10.24.5)', async () => {
    const left = ['Not compared: providers (once): the recorded body was cut at 32 kB.'];
    server.answers['getDrift'] = () => drift({ differences: [], left });
    renderPage(<DriftPage />);
    expect(await screen.findByText(/^12 responses and webhooks since Monday .* match the description/)).toBeTruthy();
    expect(screen.getByText('1 not compared')).toBeTruthy();
  });

  it('sets a difference as a fault that always happens, once for two presses (behaviour 10.24.6)', async () => {
    renderPage(<DriftPage />);
    const button = await screen.findByRole('button', { name: 'Set as fault: subscription data.status' });
    await userEvent.dblClick(button);
    expect(await screen.findByText(/^Added\. When subscription is called: Not as described/)).toBeTruthy();
    expect(requests('setFault').map(({ body }) => body)).toEqual([rule]);
  });

  it('says why a difference cannot be a fault (behaviour 10.24.6)', async () => {
    renderPage(<DriftPage />);
    const button = await screen.findByRole('button', { name: 'Set as fault: newCall keys' });
    expect(button.title).toBe('The fault lab has no faults for newCall.');
    await userEvent.click(button);
    expect(requests('setFault')).toEqual([]);
  });

  it('offers the fault to copy where the service is live, and sets none (behaviour 10.24.6)', async () => {
    const write = vi.fn(() => Promise.resolve());
    renderPage(<DriftPage />, live);
    const user = userEvent.setup();
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(write);
    await user.click(await screen.findByRole('button', { name: 'Copy as fault: subscription data.status' }));
    expect(write).toHaveBeenCalledWith(JSON.stringify(rule));
    expect(screen.queryByRole('button', { name: /^Set as fault: subscription/ })).toBeNull();
    expect(requests('setFault')).toEqual([]);
  });

  it('says that it could not be read', async () => {
    server.answers['getDrift'] = () => Promise.reject(failure); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    renderPage(<DriftPage />);
    expect(await screen.findByText(failure.title)).toBeTruthy();
  });
});

describe('An entry of the timeline', () => {
  const name = 'Differences from the description';

  it.each(['service', 'program', 'webhook'] as const)(
    'of the kind %s shows its differences (behaviour 10.24.5)',
    async (kind) => {
      renderPage(<EntryDifferences entry={timelineEntry({ id: '7', kind })} />);
      const region = await screen.findByRole('region', { name });
      expect(region.textContent).toContain(
        'data.status expected one of Received, Authorised, received "Frozen". Still works.',
      );
      expect(requests('getDrift')[0]).toMatchObject({ query: { entry: '7' } });
      await userEvent.click(within(region).getByRole('button', { name: 'Set as fault: subscription data.status' }));
      expect(await within(region).findByText(/^Set as a fault/)).toBeTruthy();
      expect(requests('setFault').map(({ body }) => body)).toEqual([rule]);
    },
  );

  it('shows none if it is as described, and asks for none of the console’s own calls', async () => {
    server.answers['getDrift'] = () => drift({ differences: [] });
    renderPage(
      <>
        <EntryDifferences entry={timelineEntry({ id: '7' })} />
        <EntryDifferences entry={timelineEntry({ id: '8', kind: 'call' })} />
      </>,
    );
    await vi.waitFor(() => expect(requests('getDrift').length).toBeGreaterThan(0));
    expect(screen.queryByRole('region', { name })).toBeNull();
    expect(requests('getDrift').every(({ query }) => query?.['entry'] === '7')).toBe(true);
  });
});
