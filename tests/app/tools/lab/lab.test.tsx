// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '#contract/problem.ts';
import { LabPage } from '#app/tools/lab/LabPage.tsx';
import { RunBar } from '#app/tools/lab/RunBar.tsx';
import { savePlaying } from '#app/console/runStorage.ts';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { everything } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { batch, explained, openLab } from '#tests/support/openLab.ts';
import { renderPage } from '#tests/support/page.tsx';

const refused = (problem: Problem) => () => Promise.reject(problem); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- ports reject with problems (machines/lib/effect.ts)
const load = () => Promise.resolve(everything);
const open = (tab = 'faults') => renderPage(<LabPage />, { load, at: `/sandbox#${tab}` });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const isEnabled = async (name: string) => {
  const button = await screen.findByRole('button', { name });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
};
const enter = async (label: string, text: string) => {
  const box = await screen.findByRole('textbox', { name: label });
  await userEvent.clear(box);
  await userEvent.click(box);
  await userEvent.paste(text);
};
const choose = async (label: string, option: string) => {
  await userEvent.click(await screen.findByRole('combobox', { name: label }));
  await userEvent.click(await screen.findByRole('option', { name: option }));
};
const bodies = (name: string) => requests(name).map(({ body }) => body);
const bodyOf = (label: string) => screen.findByRole('region', { name: label });

beforeEach(() => {
  server.made.length = 0;
  openLab();
});

describe('the rules of the fault lab', () => {
  it('are set with the form, listed, and removed (behaviour 10.20.2)', async () => {
    open();
    await press('Add fault');
    expect(bodies('setFault')).toEqual([
      { on: 'call', of: 'createBatch', fault: { kind: 'answerLost' }, times: 1, probability: 1, seed: 1 },
    ]);
    expect(await screen.findByText('Added. When create batch is called: Response lost, the next time.')).toBeDefined();
    await press('Remove: When create batch is called: Response lost, the next time');
    expect(await screen.findByText(/No faults: the sandbox/)).toBeDefined();
    expect(requests('removeFault').map(({ params }) => params)).toEqual([{ ruleId: 'rule-1' }]);
  });

  it('have the options of their kind, with limits, and are not set with an option beyond them (behaviour 10.20.2)', async () => {
    open();
    await choose('Fault', 'Too many calls');
    await enter('Retry-After (s)', '3601');
    await choose('How often', 'a number of times');
    await enter('Number of times', '0');
    await userEvent.click(screen.getByRole('checkbox', { name: 'With a probability' }));
    await enter('Probability', '1.5');
    await press('Add fault');
    const errors = ['Retry-After (s): enter a whole number from 0 to 3600', 'Number of times: enter a whole number from 1 to 100000', 'Probability: enter a number above 0, up to 1, such as 0.5']; // prettier-ignore
    const summary = await screen.findByRole('alert');
    expect(
      within(summary)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(errors);
    expect(bodies('setFault')).toEqual([]);
    await enter('Retry-After (s)', '60');
    await enter('Number of times', '3');
    await enter('Probability', '0.25');
    await enter('Seed', '7');
    await press('Add fault');
    expect(bodies('setFault')).toEqual([
      {
        on: 'call',
        of: 'createBatch',
        fault: { kind: 'tooMany', retryAfter: 60 },
        times: 3,
        probability: 0.25,
        seed: 7,
      },
    ]);
    expect(
      await screen.findByText(
        'When create batch is called: Too many calls (retry-after 60 s), the next 3 times, with probability 0.25 (seed 7)',
      ),
    ).toBeDefined();
  });

  it('depend on the target: a batch has kinds of its own, a definition no number of times', async () => {
    open();
    await choose('Operation', 'any batch');
    await choose('Fault', 'Payment fails');
    await enter('Payment, counted from 0', '3');
    await choose('How often', 'always');
    await press('Add fault');
    await choose('Operation', 'any definitions');
    expect(screen.queryByRole('combobox', { name: 'How often' })).toBeNull();
    await press('Add fault');
    await choose('Operation', 'a user');
    await press('Add fault');
    const common = { of: 'any', probability: 1, seed: 1 };
    await waitFor(() =>
      expect(bodies('setFault')).toEqual([
        { on: 'batch', fault: { kind: 'failPayment', index: 3, rule: '' }, times: 'always', ...common },
        {
          on: 'definition',
          times: 'always',
          ...common,
          fault: { kind: 'ruleAdded', apiPath: 'Subscriptions', path: 'additionalData.addedByTheLab' },
        },
        { on: 'login', fault: { kind: 'noState' }, times: 'always', ...common },
      ]),
    );
  });
});

describe('the other sections', () => {
  it('move the clock by an amount or to a time, stop it, and set it back (behaviour 10.20.6)', async () => {
    open('clock');
    const reset = await screen.findByRole('button', { name: 'Back to machine time' });
    expect(reset.getAttribute('aria-disabled')).toBe('true');
    await press('+1 hour');
    expect(await screen.findByText('Its clock is 1 h ahead')).toBeDefined();
    await press('Stop the clock');
    expect(await screen.findByText('Its clock is stopped')).toBeDefined();
    await isEnabled('Start the clock');
    await press('Start the clock');
    await press('Back to machine time');
    await waitFor(() => expect(requests('resetClock')).toHaveLength(1));
    await enter('Amount', 'soon');
    await press('Move the clock');
    expect((await screen.findByRole('alert')).textContent).toContain('Amount: enter a whole number');
    await enter('Amount', '-2');
    await press('Move the clock');
    await choose('Move it', 'To');
    await enter('Time', '2026-02-01T09:00:00Z');
    await press('Move the clock');
    const day = 24 * 60 * 60_000;
    await waitFor(
      () =>
      expect(bodies('changeClock')).toEqual([{ move: 3_600_000 }, { still: true }, { still: false }, { move: -120_000 }, { move: day }]), // prettier-ignore
    );
  });

  it('advance a batch to its next status, and none that has ended (behaviour 10.20.6)', async () => {
    open('clock');
    await press('Advance batch batch-1');
    await waitFor(() => expect(requests('stepBatch').map(({ params }) => params)).toEqual([{ batchId: 'batch-1' }]));
    server.answers['getLabBatches'] = () => ({ data: [{ ...batch, status: 'Completed', next: null }] });
    await userEvent.click(within(await bodyOf('Batches')).getByRole('button', { name: 'Refresh the batches' }));
    await screen.findByText('by hand');
    await press('Advance batch batch-1');
    expect(requests('stepBatch')).toHaveLength(1);
  });

  it('resend webhooks, one or all since a time, and explain and verify their signatures (behaviour 10.20.7)', async () => {
    open('webhooks');
    await press('Send again batchUpdated msg_1');
    expect(await screen.findByText('Sent again: msg_1, to http://console.example/notifications.')).toBeDefined();
    await press('Explain the signature of msg_1');
    expect((await screen.findByRole('group', { name: 'How the signature is computed' })).textContent).toContain(explained.baseString); // prettier-ignore
    await enter('Since', 'yesterday');
    await press('Send all again');
    expect((await screen.findByRole('alert')).textContent).toContain('Enter a time such as');
    await enter('Since', '2026-01-31T09:00:00Z');
    await press('Send all again');
    expect(
      await screen.findByText('Webhooks sent again, of all users: 2, to http://a.example/ and http://b.example/.'),
    ).toBeDefined();
    await enter('webhook-id', ' msg_1 ');
    await enter('Body', '{\n "a": 1 }');
    await press('Check');
    expect(await screen.findByText('webhook-signature: the header is missing')).toBeDefined();
    expect(bodies('checkWebhook')).toEqual([{ id: 'msg_1', timestamp: '', signature: '', body: '{\n "a": 1 }' }]);
  });

  it('filter webhooks by type and result, resend several, and compare two (behaviour 10.20.17)', async () => {
    const of = (webhookId: string, type: string, delivered: boolean) => {
      const at = '2026-01-31T09:00:00.000Z';
      return { webhookId, type, at, body: `{"id":"${webhookId}"}`, attempts: 1, delivered, status: 204, log: [] };
    };
    server.answers.getLabWebhooks = () => ({
      data: [of('msg_1', 'batchUpdated', true), of('msg_2', 'batchUpdated', false), of('msg_3', 'creditorputs', false)],
    });
    open('webhooks');
    const again = await screen.findByRole('button', { name: 'Send chosen again' });
    expect(again.title).toBe('Choose webhooks in the list');
    await press('batchUpdated 2');
    expect(screen.queryByLabelText('Choose msg_3')).toBeNull();
    await userEvent.click(screen.getByLabelText('Choose msg_1'));
    await userEvent.click(screen.getByLabelText('Choose msg_2'));
    const compared = await screen.findByRole('region', { name: 'Comparison of two webhooks' });
    expect(await within(compared).findByText('Body: 1 line differs')).toBeDefined();
    await press('Send chosen again (2)');
    const ids = () => requests('sendWebhookAgain').map(({ params }) => params);
    await waitFor(() => expect(ids()).toEqual([{ webhookId: 'msg_1' }, { webhookId: 'msg_2' }]));
    await press('Not delivered 1');
    expect(screen.queryByLabelText('Choose msg_1')).toBeNull();
  });

  it('list each attempt to deliver a webhook, with its address and what happened (behaviour 10.20.16)', async () => {
    const attempt = { at: '2026-01-31T09:00:00.000Z', status: 0, url: 'https://hooks.example/a' };
    server.answers.getLabWebhooks = () => ({
      data: [
        {
          webhookId: 'msg_1',
          type: 'batchUpdated',
          at: attempt.at,
          body: '{}',
          attempts: 1,
          delivered: false,
          status: 0,
          log: [
            { ...attempt, receiver: 'consumer', outcome: 'no answer within 10 s' },
            {
              ...attempt,
              receiver: 'second',
              status: 307,
              outcome: 'redirected with 307 to https://b.example/, which is not followed',
            },
          ],
        },
      ],
    });
    open('webhooks');
    expect(await screen.findByText('Redirected with 307 to https://b.example/, which is not followed')).toBeDefined();
    const attempts = screen.getByLabelText(/^Attempts to deliver msg_1: \d/).parentElement;
    expect(attempts?.textContent).toContain('https://hooks.example/a: no answer within 10 s');
    expect(attempts?.textContent).toContain('second receiver, https://hooks.example/a: redirected with 307');
  });

  it('empty the sandbox after a second press only, and forget the rehearsal that made what is gone (behaviour 10.20.6)', async () => {
    const rehearsal = { name: 'Company', right: 'created.', journey: null };
    savePlaying({ walks: [], at: 0, state: 'done', says: '', rehearsal });
    renderPage(<RunBar />);
    expect(screen.getByText(/^Company: created\./)).toBeDefined();
    open('lab-empty');
    await press('Empty the sandbox …');
    await press('Cancel');
    expect(requests('emptySandbox')).toEqual([]);
    await press('Empty the sandbox …');
    await press('Empty the sandbox');
    expect(await screen.findByText(/^The sandbox was emptied/)).toBeDefined();
    expect(screen.queryByText(/^Company: created\./)).toBeNull();
  });
});

describe('the page of the fault lab', () => {
  it('has its sections in tabs, with the open one in the address (behaviour 10.20.1)', async () => {
    open('');
    expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual(
      ['Practise', 'Faults', 'Clock', 'Webhooks', 'Magic values', 'Start from'], // prettier-ignore
    );
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Practise');
    expect(screen.getByRole('button', { name: 'Pay, Too many calls: not run yet. Run' })).toBeDefined();
    await userEvent.click(screen.getByRole('tab', { name: 'Clock' }));
    expect(await screen.findByRole('heading', { name: 'Empty the sandbox' })).toBeDefined();
    expect(screen.queryByRole('heading', { name: 'Practise failures' })).toBeNull();
  });

  it('keeps what was typed into a form when another tab is opened in between (behaviour 10.20.11)', async () => {
    open();
    await choose('Fault', 'Too many calls');
    await enter('Retry-After (s)', '77');
    await userEvent.click(screen.getByRole('tab', { name: 'Clock' }));
    expect(await screen.findByRole('heading', { name: 'Clock' })).toBeDefined();
    await userEvent.click(screen.getByRole('tab', { name: 'Faults' }));
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Retry-After (s)' })).value).toBe('77');
  });

  it('says that a service other than the sandbox has none (behaviour 10.20.3)', async () => {
    const problem: Problem = { ...failure, code: 'not-found', detail: 'This console uses another service.' };
    server.answers = { getLab: refused(problem) };
    open();
    expect(await screen.findByText(problem.detail)).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
