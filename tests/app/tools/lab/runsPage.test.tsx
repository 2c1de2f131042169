// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { savePlaying } from '#app/console/runStorage.ts';
import { RunBar } from '#app/tools/lab/RunBar.tsx';
import { RunsPage } from '#app/tools/lab/RunsPage.tsx';
import { plain } from '#runner/file.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { renderPage } from '#tests/support/page.tsx';
import { fileOf } from '#tests/support/journeyFile.ts';

afterEach(() => sessionStorage.clear());

const page = (facts = everything) => renderPage(<RunsPage />, { at: '/run', load: () => Promise.resolve(facts) });
/** jsdom's File lacks arrayBuffer(). */
const upload = (text: string) =>
  userEvent.upload(
    screen.getByLabelText('Open a script'),
    Object.assign(new File([text], 'journeys.json', { type: 'application/json' }), {
      arrayBuffer: () => Promise.resolve(new TextEncoder().encode(text).buffer),
    }),
  );
const listed = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('the page of journey scripts', () => {
  it('lists the journeys of an uploaded script before running them (threat 6.39)', async () => {
    page();
    // With the byte order mark of an editor on Windows.
    await upload(
      '\uFEFF' + fileOf([plain('company'), { journey: 'electronicPayment', values: {}, choices: { invoices: 3 } }]),
    );
    expect(listed('Journeys of the script')).toEqual(['Create Company', 'Electronic Payments invoices: 3']);
    expect(await screen.findByRole('button', { name: 'Run these 2 journeys' })).toBeDefined();
  });

  it.each([
    ['invalid JSON', 'settings', /not JSON/],
    [
      'an unknown journey',
      fileOf([{ ...plain('company'), journey: 'pay' as 'company' }]),
      /journeys\[0\]\.journey is "pay"/,
    ],
    [
      'an unknown field',
      fileOf([{ ...plain('company'), values: { nmae: 'X' } }]),
      /journeys\[0\]\.values\.nmae is not a field of company: there are name/,
    ],
    [
      'another version',
      fileOf([plain('company')]).replace('"version":1', '"version":2'),
      /version is 2: this console reads version 1/,
    ],
  ])('refuses a script with %s, and runs nothing (threat 6.39)', async (_, text, says) => {
    page();
    await upload(fileOf([plain('company')]));
    await upload(text);
    expect((await screen.findByRole('alert')).textContent).toMatch(says);
    expect(screen.queryByRole('button', { name: /^Run (this|these)/ })).toBeNull();
  });

  it('warns on a live service that payments move real money', async () => {
    page(withFacts(everything, { environment: 'live' }));
    expect(await screen.findByText(/Payments move real money/)).toBeDefined();
  });
});

describe('the status bar of a script run', () => {
  const bar = () => renderPage(<RunBar />, { load: () => Promise.resolve(factsAfter('settings')) });
  const walks = [plain('organisation'), plain('company')];
  const said = () => within(screen.getByRole('region', { name: 'Script run' })).getByRole('status').textContent;

  it('offers “Continue” for an interrupted run, and can be dismissed', async () => {
    savePlaying({ walks, at: 1, state: 'running', says: 'Log in, then continue here' });
    bar();
    expect(said()).toBe(
      'The run has stopped at journey 2 of 2, Create Company. Log in, then continue here. Show journeys',
    );
    expect(await screen.findByRole('button', { name: 'Continue' })).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('region', { name: 'Script run' })).toBeNull();
  });

  it('states why a run failed, and when all journeys are done', () => {
    savePlaying({ walks, at: 0, state: 'failed', says: 'There is no Organisation set up' });
    const { unmount } = bar();
    expect(said()).toContain(
      'The run has failed at journey 1 of 2, Create Organisation: There is no Organisation set up',
    );
    unmount();
    savePlaying({ walks, at: 1, state: 'done', says: '' });
    bar();
    expect(said()).toContain('All 2 journeys are done.');
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
  });
});

// Last, because the run is under way in this page from then on.
describe('the sample of a script', () => {
  it('runs the sample in the sandbox, and offers none on a live service', async () => {
    const { unmount } = page(withFacts(everything, { environment: 'live' }));
    await screen.findByText(/real money/);
    expect(screen.queryByRole('button', { name: 'Run the sample' })).toBeNull();
    unmount();
    page();
    renderPage(<RunBar />, { load: () => Promise.resolve(factsAfter('settings')) });
    await userEvent.click(await screen.findByRole('button', { name: 'Run the sample' }));
    expect(await screen.findByText(/ of 3, /)).toBeDefined();
  });
});
