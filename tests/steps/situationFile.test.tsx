// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SituationFile } from '#app/lab/SituationFile.tsx';
import { Shell } from '#app/shell/Shell.tsx';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { renderPage } from '#tests/support/page.tsx';

vi.mock('#app/api/client.ts', async () => ({ call: (await import('#tests/support/fakeCalls.ts')).call }));

/** jsdom's File lacks arrayBuffer(). */
const fileOf = (text: string) =>
  Object.assign(new File([text], 'moment.json', { type: 'application/json' }), {
    arrayBuffer: () => Promise.resolve(new TextEncoder().encode(text).buffer),
  });

beforeEach(() => {
  server.made.length = 0;
  server.answers = {};
});

const menu = async (name = 'Sandbox') => userEvent.click(await screen.findByRole('button', { name }));
const choose = async (text: string) => userEvent.upload(await screen.findByLabelText('Situation file'), fileOf(text));
const openSituation = () => screen.getByRole('button', { name: 'Open situation' });

const shell = (at: string, environment: 'sandbox' | 'live' = 'sandbox') =>
  renderPage(<Shell>page</Shell>, { at, load: () => Promise.resolve(withFacts(everything, { environment })) });

describe('The menu of the environment', () => {
  it.each([
    ['/debtors', '/debtors'],
    ['/getbatch?batchId=b-1&guided=true&outcome=ok', '/getbatch?batchId=b-1&guided=true'],
    ['/getbatch?batchId=a%20b%2F..', '/getbatch'],
    ['/', '/'],
    ['/timeline?entry=4', '/'],
    ['/sandbox', '/'],
  ])('at %s saves the situation with the step %s (behaviour 10.27.6)', async (at, step) => {
    shell(at);
    await menu();
    const save = await screen.findByRole('link', { name: /^Save situation/ });
    await vi.waitFor(() =>
      expect(new URL(save.getAttribute('href') ?? '', 'http://x').searchParams.get('step')).toBe(step),
    );
    expect(save.hasAttribute('download')).toBe(true);
  });

  it('opens by the keyboard, leads to the controls of the sandbox, and closes with the focus on its badge (behaviour 10.27.6)', async () => {
    shell('/debtors');
    const badge = await screen.findByRole('button', { name: 'Sandbox' });
    badge.focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('link', { name: 'Clock' });
    const panel = document.getElementById(badge.getAttribute('aria-controls') ?? '');
    const titles: string[] = [];
    for (;;) {
      await userEvent.tab();
      if (!panel?.contains(document.activeElement)) break;
      titles.push(document.activeElement?.firstChild?.textContent ?? '');
    }
    expect(titles).toEqual([
      'Fault lab',
      'Clock',
      'Start from',
      'Save situation',
      'Open situation',
      'Empty the sandbox',
    ]);
    await menu();
    await userEvent.click(await screen.findByRole('button', { name: /^Open situation/ }));
    await screen.findByRole('dialog', { name: 'Open situation' });
    expect(screen.queryByRole('link', { name: 'Clock' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(badge);
    expect(requests('openSituation')).toEqual([]);
  });

  it('says with a live service why each control of a sandbox is missing (behaviour 10.27.6)', async () => {
    shell('/debtors', 'live');
    await menu('Live: real payments');
    for (const title of ['Fault lab', 'Clock', 'Save situation', 'Open situation', 'Empty the sandbox']) {
      const entry = screen.getByRole('button', { name: new RegExp(`^${title}.{10,}`) });
      expect(entry.getAttribute('aria-disabled')).toBe('true');
      await userEvent.click(entry);
    }
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('The section of situation files', () => {
  it('saves by a download, and opens a chosen file only once the user confirms (behaviour 10.27.1)', async () => {
    renderPage(<SituationFile />);
    const save = await screen.findByRole('link', { name: 'Save situation' });
    await vi.waitFor(() => expect(save.getAttribute('href')).toBe('/api/situation?step=%2Fcreateorganisation'));
    await menu('Open situation …');
    expect(openSituation().getAttribute('title')).toBe('Choose a file first');
    await choose('{}');
    expect(
      screen.getByText(/Everything in your sandbox is replaced by what is in moment\.json, and the company/),
    ).toBeTruthy();
    expect(requests('openSituation')).toEqual([]);
    server.answers = { openSituation: () => new Promise(() => undefined) };
    await userEvent.dblClick(openSituation());
    await screen.findByText('Opening the situation …');
    expect(requests('openSituation')).toHaveLength(1);
    // What was begun cannot be dismissed.
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('dialog', { name: 'Open situation' })).toBeTruthy();
  });

  it.each([
    ['is no JSON', 'nonsense', () => ({})],
    [
      'the console refuses',
      '{"kind":"recipe"}',
      () => Promise.reject({ ...failure, errors: [{ path: 'version', message: '1: no other' }] }), // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    ],
  ])('says why a file that %s was not opened (behaviour 10.27.3)', async (_, text, answer) => {
    server.answers = { openSituation: answer };
    renderPage(<SituationFile />);
    await menu('Open situation …');
    await choose(text);
    await userEvent.click(openSituation());
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The situation was not opened\. .{10,}/);
  });
});
