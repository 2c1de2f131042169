// @vitest-environment jsdom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { ChartPage } from '#app/charts/ChartPage.tsx';
import { ChartTab } from '#app/charts/ChartTab.tsx';
import { MapPage } from '#app/charts/MapPage.tsx';
import type { Facts } from '#contract/facts.ts';
import { journeyOf, journeyOrder, nameOf } from '#machines/journeys.ts';
import { organisationMachine } from '#machines/onboarding/forms.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { unanswered } from '#tests/support/deferredPorts.ts';
import { pick } from '#tests/support/gestures.ts';
import { renderPage, renderStep } from '#tests/support/page.tsx';
import { allowPrinted } from '#tests/support/consoleOutput.ts';

/** Opens an address. */
const open = (at: string, facts: Facts = factsAfter('company')) =>
  renderPage(
    <Routes>
      <Route path="/journeys" element={<MapPage />} />
      <Route path="/journeys/:id" element={<ChartPage />} />
    </Routes>,
    { at, load: () => Promise.resolve(facts) },
  );
const address = () => screen.getByLabelText('address').textContent;
const state = (name: RegExp) => screen.findByRole('button', { name });
const way = async (name: string) => {
  const section = await screen.findByRole('region', { name: `State ${name}` });
  return within(section)
    .queryAllByRole('listitem')
    .map((item) => item.textContent);
};

describe('the map of the journeys', () => {
  it('draws each journey once, with its name, its status and a link to its chart', async () => {
    open('/journeys');
    const drawing = await screen.findByRole('group', { name: 'Map of the journeys' });
    await within(drawing).findByRole('link', { name: 'Create Company, Done: chart' });
    const links = within(drawing).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href')).sort()).toEqual(
      journeyOrder.map((id) => `/journeys/${id}`).sort(),
    );
    for (const id of journeyOrder) expect(within(drawing).getByText(nameOf(id))).toBeDefined();
  });

  it('says what is done, open and blocked, and why, as the menu and the guided path do', async () => {
    const row = (name: string) => screen.getByText(name, { selector: 'li a' }).closest('li')?.textContent;
    const { unmount } = open('/journeys');
    await screen.findAllByText('Done');
    expect(row('Create Organisation')).toContain('DoneOrganisation organisation-1');
    expect(row('Get User Token')).toContain('Open');
    expect(row('Create Account')).toContain('BlockedYou must get a user token before creating an account');
    expect(row('Create Debtor')).toContain('BlockedNo subscription, the subscription is not authorised');
    unmount();
    open('/journeys', factsAfter('userToken'));
    await screen.findAllByText('Done');
    expect(row('Create Account')).toContain('Open');
  });

  it('marks only completed journeys as done: no alternative of one, and no expired token (behaviour 6.9)', async () => {
    const row = (name: string) => screen.getByText(name, { selector: 'li a' }).closest('li')?.textContent;
    const posted = [{ batchId: 'b', amount: '1.00 GBP', status: 'Completed', kind: 'file', postedAt: '2030-01-01T00:00:00.000Z' }]; // prettier-ignore
    open(
      '/journeys',
      withFacts(everything, {
        userToken: false,
        settings: { postedBatches: JSON.stringify(posted), useNetwork: 'true' },
      }),
    );
    await screen.findAllByText('Done');
    expect(row('File Payments')).toContain('Done');
    expect(row('Electronic Payments')).toContain('Open');
    expect(row('Create with OnBoarding')).toContain('Done');
    expect(row('Create with OpenBanking')).not.toContain('Done');
    expect(row('Get User Token')).toContain('ExpiredThe user token has expired');
  });

  it('leads from every row to the page and to its chart', async () => {
    open('/journeys');
    const list = await screen.findByRole('list', { name: 'Journeys and their states' });
    for (const id of journeyOrder) {
      const page = within(list).getByRole('link', { name: nameOf(id) });
      expect(page.getAttribute('href')).toBe(journeyOf(id).path);
      const chart = within(list).getByRole('link', { name: `Chart of ${nameOf(id)}` });
      expect(chart.getAttribute('href')).toBe(`/journeys/${id}`);
    }
  });
});

describe('the chart of a journey', () => {
  it('opens at the initial state, and describes a clicked state and the way to it', async () => {
    open('/journeys/organisation');
    expect((await state(/^editing/)).getAttribute('aria-current')).toBeNull(); // nothing runs
    expect(screen.getByText('The way begins here.')).toBeDefined();
    expect(screen.queryByText('You are here.')).toBeNull();
    await userEvent.click(await state(/^succeeded/));
    expect(await way('succeeded')).toEqual(['Press “Create organisation”, if nothing is in error', 'It is created']);
    expect(screen.getByText('The service created what the form asked for.')).toBeDefined();
    expect(address()).toBe('/journeys/organisation?to=succeeded');
  });

  it('takes both states from the address and by keyboard, and continues from the chosen one', async () => {
    open('/journeys/account?at=form.refused&to=form.editing');
    expect(await way('editing')).toEqual(['Fill in a field']);
    await userEvent.click(screen.getByRole('button', { name: 'Start from here' }));
    expect(address()).toBe('/journeys/account?at=form.editing');
    const submitting = await state(/^submitting/);
    act(() => submitting.focus());
    await userEvent.keyboard('{Enter}');
    expect(await way('submitting')).toEqual(['Press “Create account”, if nothing is in error']);
    // React takes a drawing that is there, and is drawn anew by a press, for one that is waited for.
    allowPrinted(/^A component suspended inside an `act` scope/);
    await pick(userEvent, screen.getByLabelText('State'), 'form: invalid');
    expect(await way('invalid')).toEqual(['Press “Create account”, otherwise']);
  });

  it('lists the alerts of its gate', async () => {
    open('/journeys/account?to=blocked');
    expect(await way('blocked')).toEqual([
      'You must get a user token before creating an account',
      'Next, if a requirement is missing',
    ]);
  });

  it('says when there is no way', async () => {
    open('/journeys/organisation?at=cancelled&to=form.editing');
    expect(await screen.findByText(/There is no way from “cancelled”/)).toBeDefined();
  });

  it('exists for journeys only', async () => {
    open('/journeys/toString');
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeDefined();
  });

  it.each(['/journeys/nothing', '/journeys/__proto__'])(
    'is replaced at %s by a list of the pages beside the menu (behaviour 2.13)',
    async (address) => {
      open(address);
      const list = within(await screen.findByRole('list', { name: 'Other pages' }));
      const paths = list.getAllByRole('link').map((link) => link.getAttribute('href'));
      expect(paths).toEqual(
        expect.arrayContaining(['/', '/journeys', '/timeline', '/programs', '/run', '/additionaldata']),
      );
    },
  );
});

it('no chart stands beside a step of a user who has paid nothing yet (behaviour 10.16.23)', async () => {
  renderStep('organisation', provideEffects(organisationMachine, { submit: unanswered }), {
    at: '/createorganisation',
  });
  await screen.findByRole('tab', { name: 'Request' });
  expect(screen.queryByRole('tab', { name: 'Chart' })).toBeNull();
});

it('the chart beside a step highlights the present state', async () => {
  const machine = provideEffects(organisationMachine, { submit: unanswered });
  const load = () => Promise.resolve(withFacts(factsAfter('nothing'), { settings: { postedBatches: '[{}]' } }));
  renderStep('organisation', machine, { at: '/createorganisation', load });
  await userEvent.click(await screen.findByRole('tab', { name: 'Chart' }));
  const lit = () => screen.getAllByRole('button', { current: 'step' }).map((each) => each.getAttribute('data-state'));
  await waitFor(() => expect(lit()).toEqual(['form', 'form.editing']));
  await userEvent.click(screen.getByRole('button', { name: 'Create organisation' }));
  expect(lit()).toEqual(['form', 'form.invalid']);
  expect(screen.getByRole('link', { name: 'Open this chart on its page' }).getAttribute('href')).toBe(
    '/journeys/organisation?at=form.invalid',
  );
});

describe.each([
  [
    'in the inspector, at its own size where it could not be read otherwise',
    () => renderPage(<ChartTab id="electronicPayment" here="checking" />),
    ['false', 'true'],
  ],
  ['on its page, whole', () => open('/journeys/electronicPayment?at=checking'), ['true', 'true']],
] as const)('the chart %s', (_, draw, whole) => {
  const opened = async (room: number) => {
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(room);
    draw();
    const fit = await screen.findByRole('button', { name: 'Fit' });
    const state = fit.getAttribute('aria-pressed');
    cleanup();
    vi.restoreAllMocks();
    return state;
  };

  it('opens in a narrow and in a wide frame (behaviour 10.16.17)', async () => {
    expect([await opened(300), await opened(5000)]).toEqual(whole);
  });

  it('is zoomed in and out, and fitted again (behaviour 10.16.17)', async () => {
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(5000);
    draw();
    const widthOf = () => document.querySelector('[data-state]')!.closest('svg')!.getAttribute('width') ?? '';
    await userEvent.click(await screen.findByRole('button', { name: 'Larger' }));
    const larger = Number.parseFloat(widthOf());
    await userEvent.click(screen.getByRole('button', { name: 'Smaller' }));
    await userEvent.click(screen.getByRole('button', { name: 'Smaller' }));
    expect(Number.parseFloat(widthOf())).toBeLessThan(larger);
    await userEvent.click(screen.getByRole('button', { name: 'Fit' }));
    expect(screen.getByRole('button', { name: 'Fit' }).getAttribute('aria-pressed')).toBe('true');
  });
});
