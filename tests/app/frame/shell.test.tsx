// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Facts } from '#contract/facts.ts';
import { Home } from '#app/home/Home.tsx';
import { Shell } from '#app/frame/Shell.tsx';
import { menuGroups } from '#machines/journey.ts';
import { guidedPath, nameOf, type JourneyId } from '#machines/journeys.ts';
import { outcomeNow, type Outcome } from '#machines/outcome.ts';
import { everything, factsAfter, stages, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { renderPage } from '#tests/support/page.tsx';
import { requests, server } from '#tests/support/fakeCalls.ts';

vi.mock('#app/client/client.ts', async () => ({ call: (await import('#tests/support/fakeCalls.ts')).call }));

const frame = (facts: Facts) => renderPage(<Shell>page</Shell>, { load: () => Promise.resolve(facts) });
const home = (facts: Facts, state?: object) =>
  renderPage(<Home />, { at: { pathname: '/', state }, load: () => Promise.resolve(facts) });
const address = () => screen.getByLabelText('address').textContent;

describe('the frame', () => {
  it('says which environment it works in by the page alone, while there are no facts', async () => {
    document.head.insertAdjacentHTML('beforeend', '<meta name="environment" content="live" />');
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    renderPage(<Shell>page</Shell>, { load: () => Promise.reject(failure) });
    expect(await screen.findByText('Live: real payments')).toBeDefined();
    document.head.querySelector('meta[name=environment]')?.remove();
  });

  it('says in words which environment it works in', async () => {
    const { unmount } = frame(everything);
    expect(await screen.findByText('Sandbox')).toBeDefined();
    unmount();
    frame(withFacts(everything, { environment: 'live' }));
    expect(await screen.findByText(/^Live/)).toBeDefined();
  });

  it('says who is signed in, with the way out, where the server says so', () => {
    const { unmount } = frame(everything);
    expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull();
    unmount();
    const name = Object.assign(document.createElement('meta'), { name: 'user', content: 'Example User' });
    document.head.append(name);
    frame(everything);
    expect(screen.getByText('Example User')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Sign out' })).toBeDefined();
    name.remove();
  });

  it('ends the session once on a double click, and then leaves the page (behaviour 10.6.2)', async () => {
    server.answers = { signOut: () => ({ location: '#signed-out' }) };
    server.made = [];
    const name = Object.assign(document.createElement('meta'), { name: 'user', content: 'Example User' });
    document.head.append(name);
    frame(everything);
    await userEvent.dblClick(screen.getByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(window.location.hash).toBe('#signed-out'));
    expect(requests('signOut')).toHaveLength(1);
    name.remove();
    window.location.hash = '';
  });

  it('says that the session could not be ended, and lets the user try again', async () => {
    server.answers = { signOut: () => Promise.reject(failure) }; // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    server.made = [];
    const name = Object.assign(document.createElement('meta'), { name: 'user', content: 'Example User' });
    document.head.append(name);
    frame(everything);
    for (const times of [1, 2]) {
      await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
      await waitFor(() => expect(requests('signOut')).toHaveLength(times));
      expect((await screen.findByRole('alert')).textContent).toBe(failure.title);
    }
    name.remove();
  });

  /** jsdom has no width: the menu is the narrow page's, behind its button. */
  async function openGroup(name: RegExp) {
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }));
    const button = screen.getByRole('button', { name });
    await userEvent.click(button);
    return button;
  }

  it('opens one menu group at a time, with the reason under a blocked entry', async () => {
    frame(factsAfter('company'));
    const menu = screen.getByRole('navigation', { name: 'Journeys' });
    expect(within(menu).queryByRole('link')).toBeNull();
    await openGroup(/Acct\/DataSet/);
    const account = within(menu).getByRole('link', { name: /Create Account/ });
    await waitFor(() => expect(account.textContent).toContain('You must get a user token before creating an account'));
    await userEvent.click(within(menu).getByRole('button', { name: /Rules/ }));
    expect(
      within(menu)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Bank Files', 'Providers']);
  });

  it('closes a menu group with Escape and returns the focus to its button', async () => {
    frame(everything);
    const button = await openGroup(/Payments/);
    await userEvent.tab();
    await userEvent.keyboard('{Escape}');
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(document.activeElement).toBe(button);
  });

  it('closes a menu group when the focus goes elsewhere', async () => {
    frame(everything);
    const button = await openGroup(/Payments/);
    await userEvent.click(screen.getByRole('main'));
    expect(button.getAttribute('aria-expanded')).toBe('false');
  });

  it('has in the status bar a link from each value to the page that changes it (behaviour 2.8)', async () => {
    frame(everything);
    const bar = within(screen.getByRole('contentinfo'));
    const addresses = bar.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(addresses).toEqual(['/subscriptionlist', '/subscriptionlist', '/settings', '/settings', '/settings']);
    await userEvent.click(bar.getByRole('link', { name: /^Lang/ }));
    expect(address()).toBe('/settings');
  });
});

describe('the home page', () => {
  it.each(['nothing', 'settings', 'batch'] as const)(
    'has the usage notes below the guided path without a press, after %s (behaviour 1.2)',
    async (stage) => {
      home(factsAfter(stage));
      const path = await screen.findByRole('region', { name: 'Guided path' });
      const notes = screen.getByRole('region', { name: 'Usage notes' });
      expect(path.compareDocumentPosition(notes)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
      expect(notes.querySelector('details') ?? notes.closest('details')).toBeNull();
      expect(within(notes).getAllByRole('listitem').length).toBeGreaterThan(menuGroups.length);
    },
  );

  it('offers the user’s next step with a reason, and opens its phase (behaviour 10.17.1)', async () => {
    home(factsAfter('organisation'));
    const next = await screen.findByRole('link', { name: 'Continue' });
    expect(next.getAttribute('href')).toBe('/createcompany?guided=true');
    expect(screen.getByRole('heading', { name: 'Create Company' }).parentElement!.textContent).toBe(
      'Step 3 of 13Create CompanyIt belongs to the organisation and holds subscriptions and payments.',
    );
    expect(screen.getByRole('progressbar', { name: 'Guided path' }).getAttribute('aria-valuetext')).toBe(
      '2 of 13 steps are done',
    );
    const phases = [...document.querySelectorAll('details')].filter((each) => each.querySelector('summary + ol'));
    expect(phases.map((each) => [each.querySelector('summary')!.textContent, each.open])).toEqual([
      ['✓Set upGB · en', false],
      ['Identity1 of 3', true],
      ['Data3 steps later', false],
      ['Connect2 steps later', false],
      ['Pay4 steps later', false],
    ]);
    const marks = screen.getAllByRole('img').map((mark) => mark.getAttribute('aria-label'));
    expect(marks.slice(0, 5)).toEqual(['Done', 'Done', 'Next', 'Done', 'Next']);
    const rowOf = (title: string) => screen.getByRole('link', { name: title }).closest('li')?.textContent;
    expect(rowOf('Create Organisation')).toBe('✓Create Organisationorganisation-1');
    expect(rowOf('Create Company')).toBe('Create Company');
    expect(rowOf('Create with OnBoarding')).toBe('Create with OnBoardingor Create with OpenBanking');
  });

  it.each([...stages.slice(0, -1)])('has every row of the guided path in one phase, after %s', async (stage) => {
    home(factsAfter(stage));
    await screen.findByRole('link', { name: 'Continue' });
    const rows = [...document.querySelectorAll('summary + ol > li')].map((row) => row.querySelector('a')!.textContent);
    expect(rows).toEqual(guidedPath(factsAfter(stage)).map(nameOf));
  });

  it('links to the alternative that completed a row, by its name (behaviour 4.44)', async () => {
    const posted = { batchId: 'batch-1', amount: '1.00 GBP', status: 'Processing', kind: 'file', postedAt: '2030-01-01T00:00:00.000Z' }; // prettier-ignore
    home(withFacts(everything, { batchStatus: 'Processing', settings: { postedBatches: JSON.stringify([posted]) } }));
    const row = await screen.findByRole('link', { name: 'File Payments' });
    expect(row.getAttribute('href')).toBe('/filepayments?guided=true');
    expect(screen.queryByRole('link', { name: 'Electronic Payments' })).toBeNull();
  });

  it('summarises the last batch when the path is done, and offers next actions (behaviour 10.14.4)', async () => {
    const posted = { batchId: 'batch-1', amount: '3663.55 GBP', status: 'Completed', kind: 'electronic', postedAt: '2030-01-01T00:00:00.000Z' }; // prettier-ignore
    home(withFacts(everything, { settings: { postedBatches: JSON.stringify([posted]) } }));
    await screen.findByRole('heading', { level: 1, name: '3,663.55 GBP' });
    expect(screen.getByText(/^The guided path is complete/)).toBeDefined();
    const offers = ['Pay again', 'Export this run'].map((name) => screen.getByRole('link', { name }));
    expect(offers.map((each) => each.getAttribute('href'))).toEqual(['/electronicpayments?guided=true&another=true', '/api/timeline.zip']); // prettier-ignore
    expect(screen.getByRole('button', { name: 'Simulate a failure' })).toBeDefined();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('leads to the matrix of failures when the path is done on the sandbox, and to none on a live service (behaviour 10.20.12)', async () => {
    const { unmount } = home(everything);
    const pay = await screen.findByRole('group', { name: 'Pay' });
    expect(within(pay).getByRole('button', { name: 'Pay, Too many calls: not run yet. Run' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Open the lab' }).getAttribute('href')).toBe('/sandbox#faults');
    unmount();
    home(withFacts(everything, { environment: 'live' }));
    await screen.findByRole('link', { name: 'Pay again' });
    expect(screen.queryByRole('group', { name: 'Pay' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Simulate a failure' })).toBeNull();
  });

  it('says what the previous step has created (behaviour 10.14.1)', async () => {
    home(factsAfter('company'), { done: 'company' });
    const title = await screen.findByText('Create Company:');
    expect(title.closest('[role=status]')?.textContent).toBe('Create Company: Company company-1.');
  });

  it.each([
    ['Failed', 'The last payment failed'],
    ['Rejected', 'The last payment was rejected'],
    ['CANCELLED', 'The last payment was cancelled'],
    ['PartiallyCompleted', 'Some of the last payments failed'],
    ['partially_completed', 'Some of the last payments failed'],
  ])(
    'is not complete while the last batch is %s, and leads to what failed (behaviour 10.14.7)',
    async (status, title) => {
      const posted = { batchId: 'batch-1', amount: '3663.55 GBP', status, kind: 'electronic', postedAt: '2030-01-01T00:00:00.000Z' }; // prettier-ignore
      home(withFacts(everything, { batchStatus: status, settings: { postedBatches: JSON.stringify([posted]) } }), {
        done: 'electronicPayment',
      });
      await screen.findByRole('heading', { level: 1, name: '3,663.55 GBP' });
      expect(screen.getByText(new RegExp(`^${title}`))).toBeDefined();
      expect(screen.getByRole('link', { name: 'View failed payments' }).getAttribute('href')).toBe(
        '/getbatch?guided=true',
      );
      expect(screen.queryByRole('link', { name: 'Pay again' })).toBeNull();
      expect(screen.queryByText(/path is complete/)).toBeNull();
      const banner = screen.getByText(/^(Electronic Payments|Pay electronically):/).closest('[role=status]')!;
      expect([banner.textContent, banner.getAttribute('data-tone')]).toEqual([
        expect.stringContaining(status),
        'failed',
      ]);
      const row = screen.getByRole('link', { name: 'Get Batch' }).closest('li')!;
      expect(within(row).getByRole('img').getAttribute('aria-label')).toBe('Failed');
    },
  );

  it('has the outcome of what was created: in progress, done, failed (behaviour 10.14.7)', () => {
    const outcomes: [JourneyId, Partial<Facts>, Outcome][] = [
      ['electronicPayment', { batchStatus: 'Processing' }, 'waiting'],
      ['filePayment', { batchStatus: 'PaymentFileAvailable' }, 'done'],
      ['electronicPayment', { batchStatus: 'Completed' }, 'done'],
      ['electronicPayment', { batchStatus: 'Failed' }, 'failed'],
      ['subscription', { subscription: { ...everything.subscription!, status: 'AwaitingAuthorisation' } }, 'waiting'],
      ['subscription', { subscription: { ...everything.subscription!, status: 'Rejected' } }, 'failed'],
      ['bankSubscription', { subscription: { ...everything.subscription!, status: 'Expired' } }, 'failed'],
      ['debtor', { debtors: 0 }, 'failed'],
      ['creditor', {}, 'done'],
      ['company', { lost: 'company' }, 'failed'],
    ];
    expect(outcomes.map(([id, more]) => outcomeNow(id, { ...everything, ...more }))).toEqual(
      outcomes.map(([, , is]) => is),
    );
  });

  it('reserves the place of a created record until it is known, so that nothing below it moves (behaviour 10.14.1)', async () => {
    const never = () => new Promise<Facts>(() => undefined);
    renderPage(<Home />, { at: { pathname: '/', state: { done: 'company' } }, load: never });
    const place = () => document.querySelector('[role=status]:not([aria-label])');
    await vi.waitFor(() => expect(place()?.textContent).toBe(''));
  });

  it('groups the usage notes as the menu does', async () => {
    home(everything);
    await screen.findByRole('heading', { name: 'Usage notes' });
    const notes = within(screen.getByRole('region', { name: 'Usage notes' }));
    const titles = notes.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);
    expect(titles).toEqual([
      'Misc',
      'Org/Comp',
      'Acct/DataSet',
      'Subscriptions',
      'Rules',
      'Debtors/Creditors',
      'Payments',
    ]);
  });

  it('stays usable when the facts cannot be read', async () => {
    const unreachable = {
      type: 'x',
      title: 'No response',
      status: 0,
      detail: '',
      code: 'console-unreachable',
    } as const;
    renderPage(<Home />, { load: () => Promise.reject(unreachable) }); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    expect((await screen.findByRole('alert')).textContent).toContain('npm start');
    expect(await screen.findByRole('heading', { name: 'Usage notes' })).toBeDefined();
  });
});
