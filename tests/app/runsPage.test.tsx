// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { saveRecordedRun } from '#app/runs/recordedRuns.ts';
import { startConsole } from '#app/console/consoleActor.ts';
import { perform, stop } from '#app/runs/playRun.ts';
import { savePlaying } from '#app/runs/runStorage.ts';
import { RunBar } from '#app/runs/RunBar.tsx';
import { RunsPage } from '#app/runs/RunsPage.tsx';
import { fileOf, parseWalks, plain } from '#runner/file.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { renderPage } from '#tests/support/page.tsx';

afterEach(() => sessionStorage.clear());

const page = (facts = everything) => renderPage(<RunsPage />, { at: '/run', load: () => Promise.resolve(facts) });
const made = { status: 'done', value: 'succeeded', output: { type: 'succeeded', result: null } };
const company = (name: string) =>
  ({
    ...made,
    context: { facts: everything, form: { fields: [{ id: 'name' }] }, values: { name } },
  }) as unknown as AnyMachineSnapshot; // as much as is looked at
/** jsdom's File lacks arrayBuffer(). */
const upload = (text: string) =>
  userEvent.upload(
    screen.getByLabelText('Script'),
    Object.assign(new File([text], 'journeys.json', { type: 'application/json' }), {
      arrayBuffer: () => Promise.resolve(new TextEncoder().encode(text).buffer),
    }),
  );
const textOf = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string); // it reads text
    reader.readAsText(blob);
  });
const listed = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('the page of journey scripts', () => {
  it('lists the journeys of this tab, settings first, and saves them as a script', async () => {
    const saved: Blob[] = [];
    const urls = { createObjectURL: (blob: Blob) => (saved.push(blob), 'blob:x'), revokeObjectURL: () => undefined };
    Object.assign(URL, urls);
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    saveRecordedRun('company', company('First Ltd'));
    page();
    await screen.findByText('5 values');
    expect(listed('Journeys of this tab')).toEqual(['Settings 5 values', 'Create Company 1 value']);
    await userEvent.click(screen.getByRole('button', { name: 'Save as script' }));
    expect(clicked).toHaveBeenCalledOnce();
    clicked.mockRestore();
    const [settings, second] = parseWalks(await textOf(saved[0]!));
    expect(settings).toMatchObject({
      journey: 'settings',
      values: { providerCountry: everything.settings.providerCountry },
    });
    expect(second).toEqual({ journey: 'company', values: { name: 'First Ltd' }, choices: {} });
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(screen.queryByRole('list', { name: 'Journeys of this tab' })).toBeNull();
  });

  it('lists only journeys of the current company, and clears only these (behaviour 10.19.4)', async () => {
    const elsewhere = (scope: string) =>
      ({ ...made, context: { facts: withFacts(everything, { scope }) } }) as unknown as AnyMachineSnapshot; // as much as is looked at
    saveRecordedRun('company', company('First Ltd'));
    saveRecordedRun('account', elsewhere('rehearsal'));
    saveRecordedRun('debtor', elsewhere('rehearsal'));
    const { unmount } = page();
    await screen.findByText('5 values');
    expect(listed('Journeys of this tab')).toEqual(['Settings 5 values', 'Create Company 1 value']);
    unmount();
    const { unmount: leave } = page(withFacts(everything, { scope: 'rehearsal' }));
    await screen.findByText('5 values');
    expect(listed('Journeys of this tab')).toEqual(['Settings 5 values', 'Create Account', 'Create Debtor']);
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(screen.queryByRole('list', { name: 'Journeys of this tab' })).toBeNull();
    leave();
    page();
    await screen.findByText('5 values');
    expect(listed('Journeys of this tab')).toHaveLength(2);
  });

  it.each(['done', 'failed', 'stopped'])(
    'lists no journey of a rehearsal that is %s, and lists the user’s again afterwards (behaviour 10.19.4)',
    async (end) => {
      const rehearsal = { name: 'A failure', right: 'passed', journey: null };
      const actor = startConsole({
        load: () => Promise.resolve(everything),
        loadJourney: () => new Promise(() => {}),
      });
      const hands = () => ({ patient: false, visit: () => Promise.resolve(), tell: () => undefined });
      await perform(
        actor,
        () => undefined,
        { walks: [], at: 0, state: 'running', says: '', rehearsal },
        hands,
        async () => {
          saveRecordedRun('company', company('Rehearsal'));
          if (end === 'stopped') stop();
          await Promise.resolve();
          return end === 'failed' ? 'It failed' : '';
        },
      );
      expect(sessionStorage.getItem('walked')).toBeNull();
      saveRecordedRun('company', company('First Ltd'));
      expect(sessionStorage.getItem('walked')).toContain('First Ltd');
    },
  );

  it('lists a repeated submission twice, and repeated views of the settings once', async () => {
    saveRecordedRun('company', company('First Ltd'));
    saveRecordedRun('company', company('First Ltd'));
    const settings = {
      status: 'active',
      value: 'choosing',
      context: { facts: everything },
    } as unknown as AnyMachineSnapshot; // as much as is looked at
    saveRecordedRun('settings', settings);
    saveRecordedRun('settings', settings);
    page();
    await screen.findAllByText('5 values');
    // The first one is what another console needs before them.
    expect(listed('Journeys of this tab')).toHaveLength(4);
  });

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
      fileOf([plain('company')]).replace('"version": 1', '"version": 2'),
      /version is 2: this console reads version 1/,
    ],
  ])('refuses a script with %s, and runs nothing (threat 6.39)', async (_, text, says) => {
    page();
    await upload(fileOf([plain('company')]));
    await upload(text);
    expect((await screen.findByRole('alert')).textContent).toMatch(says);
    expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull();
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
