// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SituationFile } from '#app/tools/lab/LabPage.tsx';
import { Shell } from '#app/frame/Shell.tsx';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { renderPage } from '#tests/support/page.tsx';

vi.mock('#app/client/client.ts', async () => ({ call: (await import('#tests/support/fakeCalls.ts')).call }));

/** jsdom's File lacks arrayBuffer(). */
const fileOf = (text: string) =>
  Object.assign(new File([text], 'moment.json', { type: 'application/json' }), {
    arrayBuffer: () => Promise.resolve(new TextEncoder().encode(text).buffer),
  });

const situation = JSON.stringify({ kind: 'payments-out-situation' });
const owner = (companyName: string, number: number, companyId = `c-${number}`) => ({
  organisationId: `o-${number}`,
  companyId,
  companyName,
});
const [alder, rehearsal, birch, elm] = [
  owner('Alder Ltd', 1),
  owner('Rehearsal', 2),
  owner('Birch Ltd', 3),
  owner('', 4, ''),
];

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
    expect(openSituation().getAttribute('title')).toBe('Choose a situation file first');
    expect(screen.queryByText(/sandbox, its clock/)).toBeNull();
    server.answers = {
      checkSituation: () => ({
        data: { savedAt: '2026-01-02T03:04:05Z', opens: [alder, rehearsal], ends: [birch, elm] },
      }),
      openSituation: () => new Promise(() => undefined),
    };
    await choose(situation);
    const announced = await screen.findByText(/^Everything in your sandbox, its clock and its faults/);
    expect(announced.textContent).toContain('these companies of this console: Alder Ltd and 1 rehearsal company.');
    expect(screen.getByText(/^The file does not have Birch Ltd and organisation o-4/).textContent).toContain(
      'removes these companies from sandbox and console',
    );
    expect(screen.getByLabelText<HTMLInputElement>('Situation file').files?.[0]?.name).toBe('moment.json');
    expect(requests('openSituation')).toEqual([]);
    await userEvent.dblClick(openSituation());
    await screen.findByText('Opening the situation …');
    expect(requests('openSituation')).toHaveLength(1);
    // What was begun cannot be dismissed.
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('dialog', { name: 'Open situation' })).toBeTruthy();
  });

  const none = /^moment\.json is no situation, or not all of it: choose a file that “Save situation” has saved/;
  it.each([
    ['is no JSON', 'nonsense', none],
    ['is not text', 'a\0b', none],
    ['is cut', situation.slice(0, -1), none],
    ['is a list', '[1]', none],
    ['is empty', '', none],
    ['is of another kind', '{"kind":"recipe"}', none],
    ['was changed', situation, /^moment\.json cannot be opened, perhaps because it was changed .*\. version: no other/],
  ])('refuses a file that %s when it is chosen, before the red button (behaviour 10.27.3)', async (_, text, words) => {
    server.answers = {
      checkSituation: () => Promise.reject({ ...failure, errors: [{ path: 'version', message: 'no other' }] }), // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    };
    renderPage(<SituationFile />);
    await menu('Open situation …');
    await choose(text);
    expect((await screen.findByRole('alert')).textContent).toMatch(words);
    await userEvent.click(openSituation());
    expect(openSituation().getAttribute('aria-disabled')).toBe('true');
    expect(requests('openSituation')).toEqual([]);
  });

  it('says which companies have ended once it is open (behaviour 10.27.7)', async () => {
    server.answers = {
      checkSituation: () => ({ data: { savedAt: '2026-01-02T03:04:05Z', opens: [], ends: [birch] } }),
      openSituation: () => ({ data: { step: '/', ended: [birch], notes: [] } }),
    };
    renderPage(<SituationFile />);
    await menu('Open situation …');
    await choose(situation);
    await screen.findByText(/The file has no company\./);
    await userEvent.click(openSituation());
    await screen.findByText('The situation is open. It does not have Birch Ltd: removed from sandbox and console.');
  });

  it.each(['Go to its page', 'Escape'])(
    'says what could not be set again before its page opens, with %s (behaviour 10.27.4)',
    async (way) => {
      const assign = vi.fn();
      const { origin, pathname, search, href } = location;
      vi.stubGlobal('location', { origin, pathname, search, href, assign });
      server.answers = {
        checkSituation: () => ({ data: { savedAt: '2026-01-02T03:04:05Z', opens: [], ends: [] } }),
        openSituation: () => ({ data: { step: '/debtors', ended: [], notes: ['debtor d-1: another user has it'] } }),
      };
      renderPage(<SituationFile />);
      await menu('Open situation …');
      await choose(situation);
      await screen.findByText(/The file has no company\./);
      await userEvent.click(openSituation());
      await screen.findByText(/debtor d-1: another user has it/);
      expect(assign).not.toHaveBeenCalled();
      if (way === 'Escape') fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
      else await userEvent.click(screen.getByRole('button', { name: way }));
      await waitFor(() => expect(assign).toHaveBeenCalledWith('/debtors'));
      vi.unstubAllGlobals();
    },
  );

  it('says why a situation was not opened (behaviour 10.27.3)', async () => {
    server.answers = {
      checkSituation: () => ({ data: { savedAt: '2026-01-02T03:04:05Z', opens: [alder], ends: [] } }),
      openSituation: () => Promise.reject(failure), // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    };
    renderPage(<SituationFile />);
    await menu('Open situation …');
    await choose(situation);
    await screen.findByText(/Alder Ltd\./);
    await userEvent.click(openSituation());
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The situation was not opened\. .{10,}/);
    expect(screen.queryByText(/Alder Ltd\./)).toBeNull();
  });

  it('says that a situation may have been opened where no response came (behaviour 10.27.3)', async () => {
    server.answers = {
      checkSituation: () => ({ data: { savedAt: '2026-01-02T03:04:05Z', opens: [alder], ends: [] } }),
      openSituation: () => Promise.reject({ ...failure, outcome: 'unknown', title: 'No response', detail: '' }), // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    };
    renderPage(<SituationFile />);
    await menu('Open situation …');
    await choose(situation);
    await screen.findByText(/Alder Ltd\./);
    await userEvent.click(openSituation());
    expect((await screen.findByRole('alert')).textContent).toBe(
      'The situation may have been opened: look at the sandbox and its companies. No response',
    );
  });

  it('announces nothing of a file that the control no longer has, and takes none while one is opened (behaviour 10.27.7)', async () => {
    server.answers = {
      checkSituation: () => ({ data: { savedAt: '2026-01-02T03:04:05Z', opens: [alder], ends: [] } }),
      openSituation: () => new Promise(() => undefined),
    };
    renderPage(<SituationFile />);
    await menu('Open situation …');
    await choose(situation);
    await screen.findByText(/Alder Ltd\./);
    const control = screen.getByLabelText<HTMLInputElement>('Situation file');
    fireEvent.change(control, { target: { files: [] } });
    expect(screen.queryByText(/Alder Ltd\./)).toBeNull();
    expect(openSituation().getAttribute('aria-disabled')).toBe('true');
    await choose(situation);
    await screen.findByText(/Alder Ltd\./);
    await userEvent.click(openSituation());
    await screen.findByText('Opening the situation …');
    expect(control.disabled).toBe(true);
  });

  it('refuses a folder, a file that has gone, and one that is too large, by their names (behaviour 10.27.3)', async () => {
    server.answers = {
      checkSituation: () => Promise.reject({ ...failure, code: 'too-large', detail: 'The body is larger.' }), // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    };
    renderPage(<SituationFile />);
    await menu('Open situation …');
    const gone = Object.assign(fileOf(''), {
      arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')),
    });
    await userEvent.upload(await screen.findByLabelText('Situation file'), gone);
    expect((await screen.findByRole('alert')).textContent).toMatch(/^moment\.json cannot be read: it is a folder, or/);
    await choose(situation);
    await screen.findByText('moment.json cannot be opened: The body is larger.');
  });
});
