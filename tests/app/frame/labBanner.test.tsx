// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { KeptRule } from '#contract/controlShapes.ts';
import type { Problem } from '#contract/problem.ts';
import { LabPage } from '#app/tools/lab/LabPage.tsx';
import { Shell } from '#app/frame/Shell.tsx';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { openLab } from '#tests/support/openLab.ts';
import { renderPage } from '#tests/support/page.tsx';

const refused = (problem: Problem) => () => Promise.reject(problem); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- ports reject with problems (machines/lib/effect.ts)
const load = () => Promise.resolve(everything);
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

beforeEach(() => {
  server.made.length = 0;
  openLab();
});

const frame = (environment: 'sandbox' | 'live' = 'sandbox') =>
  renderPage(<Shell>page</Shell>, { load: () => Promise.resolve(withFacts(everything, { environment })) });

describe('the banner of the fault lab', () => {
  const banner = () => screen.findByRole('status', { name: 'Fault lab' });
  const rule: KeptRule = {
    ruleId: 'rule-1',
    on: 'call',
    of: 'createBatch',
    fault: { kind: 'answerLost' },
    times: 1,
    probability: 1,
    seed: 1,
    asked: 0,
    happened: 0,
  };

  it('lists the active rules, and stops all of them (behaviour 10.20.8)', async () => {
    const lab = openLab();
    lab.rules = [rule, { ...rule, ruleId: 'rule-2', happened: 1 }];
    lab.clock = { ...lab.clock, offset: -90_000 };
    frame();
    await screen.findByText(/is injecting faults/);
    expect((await banner()).textContent).toContain('Response lost: createBatch. Its clock is 1 min 30 s behind.');
    await press('Stop all');
    await waitFor(async () => expect((await banner()).textContent).toBe(''));
    expect(requests('stopLab')).toHaveLength(1);
  });

  it('says that only the clock differs, and sets it back (behaviour 10.20.8)', async () => {
    const lab = openLab();
    lab.rules = [{ ...rule, happened: 1 }];
    lab.clock = { ...lab.clock, offset: 90_000 };
    frame();
    await screen.findByText('The sandbox has another time than this machine.');
    expect((await banner()).textContent).toContain('Its clock is 1 min 30 s ahead.');
    expect(screen.queryByText(/injecting/)).toBeNull();
    await press('Back to machine time');
    await waitFor(() => expect(requests('resetClock')).toHaveLength(1));
  });

  it('says that it could not stop, and can be pressed again', async () => {
    openLab().rules = [rule];
    server.answers['stopLab'] = refused(failure);
    frame();
    await press('Stop all');
    await screen.findByText(/The last change failed/);
    expect((await banner()).textContent).toContain(failure.title);
    expect(screen.getByRole('button', { name: 'Stop all' }).getAttribute('aria-disabled')).toBe('false');
  });

  it('appears when the page becomes visible after another page has set a rule', async () => {
    const lab = openLab();
    frame();
    expect((await banner()).textContent).toBe('');
    lab.rules = [rule];
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(await screen.findByText(/is injecting faults/)).toBeDefined();
  });

  it('shares one reading with the page of the lab', async () => {
    openLab().rules = [rule];
    renderPage(
      <Shell>
        <LabPage />
      </Shell>,
      { load, at: '/sandbox#faults' },
    );
    await screen.findByText(/is injecting faults/);
    await screen.findByRole('button', { name: /^Remove: When create batch/ });
    expect(requests('getLab')).toHaveLength(1);
  });

  it('is absent with a live service', async () => {
    frame('live');
    await screen.findByText(/^Live/);
    expect(screen.queryByRole('status', { name: 'Fault lab' })).toBeNull();
    expect(requests('getLab')).toEqual([]);
  });
});

const offered = () =>
  within(screen.getByRole('banner'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('the tools of the top bar', () => {
  it.each([
    ['sandbox', ['Timeline', 'Fault lab', 'Your app', 'Scripts']],
    ['live', ['Timeline', 'Your app', 'Scripts']],
  ] as const)('are listed by name in the environment %s (behaviour 10.16.21)', async (environment, names) => {
    frame(environment);
    await screen.findByRole('button', { name: environment === 'live' ? /Live: real payments/ : /Sandbox/ });
    await press('Tools');
    expect(offered().filter((text) => names.some((name) => name === text))).toEqual(names);
  });

  it('hold the fault lab, as do the badge of the sandbox and the palette', async () => {
    renderPage(<Shell>page</Shell>, { load });
    await press('Sandbox');
    expect((await screen.findByRole('link', { name: 'Fault lab' })).getAttribute('href')).toBe('/sandbox');
    await userEvent.keyboard('{Escape}');
    await press('Tools');
    expect(screen.getByRole('button', { name: 'Tools' }).getAttribute('aria-expanded')).toBe('true');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('link', { name: 'Fault lab' })).toBeNull();
    await press('Tools');
    await userEvent.click(screen.getByRole('link', { name: 'Fault lab' }));
    expect(screen.getByLabelText('address').textContent).toBe('/sandbox');
    await userEvent.keyboard('{Control>}k{/Control}');
    expect(await screen.findByRole('option', { name: 'Fault lab' })).toBeDefined();
  });
});
