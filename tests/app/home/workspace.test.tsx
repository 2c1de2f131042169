// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '#contract/problem.ts';
import { Shell } from '#app/frame/Shell.tsx';
import { Workspace } from '#app/home/Workspace.tsx';
import { outcomeWords } from '#ui/outcomeWords.ts';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { enter } from '#tests/support/gestures.ts';
import { renderPage } from '#tests/support/page.tsx';

const first = {
  companyKey: 'first',
  organisationId: 'organisation-1',
  companyId: 'company-1',
  companyName: 'Example & Co',
  hasPreviousKey: false,
};
const second = { ...first, companyKey: 'second', companyId: 'company-2', companyName: 'Second' };
const facts = withFacts(everything, { companies: [first, second] });
const problem: Problem = {
  type: 'urn:problem:company-unknown',
  title: 'The company of this page is no longer stored here',
  status: 409,
  detail: 'It was removed meanwhile.',
  code: 'company-unknown',
  outcome: 'not-sent',
};
const failing = () => Promise.reject(problem); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- ports reject with problems (machines/lib/effect.ts)

const load = () => Promise.resolve(facts);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const bodies = (name: Parameters<typeof requests>[0]) => requests(name).map(({ body }) => body);

beforeEach(() => {
  server.made.length = 0;
  server.answers = {};
});

it('the workspace names the user who is logged in at the identity provider, and nobody after that has expired', async () => {
  const { unmount } = renderPage(<Workspace />, {
    load: () => Promise.resolve(withFacts(everything, { user: 'Ada' })),
  });
  const term = await screen.findByText('Signed in as');
  expect(term.nextElementSibling?.textContent).toBe('Ada');
  unmount();
  renderPage(<Workspace />, { load: () => Promise.resolve(withFacts(everything, { user: '' })) });
  await screen.findByText('Company');
  expect(screen.queryByText('Signed in as')).toBeNull();
});

it.each([
  [[], 'Enter existing company'],
  [[first], 'Manage'],
  [[first, second], 'Switch company'],
])(
  'the workspace offers with companies %j to “%s”: a switch needs two (behaviour 10.16.25)',
  async (companies, label) => {
    renderPage(<Workspace />, { load: () => Promise.resolve(withFacts(everything, { companies })) });
    await press(label);
    await screen.findByRole('heading', { name: 'Organisations and companies' });
    expect(screen.queryAllByRole('button', { name: 'Use this company' })).toHaveLength(companies.length === 0 ? 1 : 0);
  },
);

describe('organisations and companies', () => {
  it('are listed, and another one is selected in one press', async () => {
    server.answers = { setSetting: () => ({}) };
    renderPage(<Workspace />, { load });
    await press('Switch company');
    const [current, other] = await screen.findAllByRole('listitem');
    expect(current!.textContent).toContain('Current company');
    expect(within(current!).queryByRole('button', { name: 'Use Example & Co' })).toBeNull();
    expect(other!.textContent).toContain('company-2');
    await press('Use Second');
    await waitFor(() => expect(bodies('setSetting')).toEqual([{ key: 'companyId', value: 'company-2' }]));
  });

  it('lists the companies of rehearsals apart and marks them (behaviour 10.20.13)', async () => {
    const rehearsal = { ...first, companyKey: 'third', companyId: 'company-3', companyName: 'Rehearsal' };
    renderPage(<Workspace />, {
      load: () => Promise.resolve(withFacts(everything, { companies: [first, second, rehearsal] })),
    });
    await press('Switch company');
    const aside = (await screen.findByText('1 company of a rehearsal')).closest('details')!;
    expect([...aside.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Rehearsal.*company-3/),
    ]);
    expect(screen.getByRole('button', { name: 'Use Second' }).closest('details')).toBeNull();
  });

  it('say why another one could not be selected, in the list and in the palette (behaviour 3.17)', async () => {
    server.answers = { setSetting: failing };
    const { unmount } = renderPage(<Workspace />, { load });
    await press('Switch company');
    await press('Use Second');
    expect(await screen.findByRole('heading', { name: problem.title })).toBeDefined();
    unmount();

    renderPage(<Shell>page</Shell>, { load, at: '/settings' });
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.click(await screen.findByRole('option', { name: 'Use company Second' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      `${problem.title}. ${outcomeWords['not-sent']} ${problem.detail}`,
    );
    expect(screen.getByLabelText('address').textContent).toBe('/settings');
  });

  it('ask before a record is removed, and before the signing key is shown, which can be hidden', async () => {
    server.answers = {
      removeRecord: () => ({}),
      revealSigningKey: () => ({ signingKey: 'the key' }),
      confirmSigningKey: () => ({ data: null }),
    };
    renderPage(<Workspace />, { load });
    await press('Switch company');
    await press('Remove Second');
    await screen.findByRole('alertdialog', { name: 'Remove the company Second?' });
    await press('Cancel');
    expect(bodies('removeRecord')).toEqual([]);
    await press('Remove Second');
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(bodies('removeRecord')).toEqual([{ kind: 'company', id: 'company-2' }]));

    await press('Reveal the signing key of Second');
    expect(bodies('revealSigningKey')).toEqual([]);
    await press('Reveal once');
    expect(await screen.findByText('the key')).toBeDefined();
    await waitFor(() => expect(bodies('confirmSigningKey')).toHaveLength(1));
    await press('Hide');
    expect(screen.queryByText('the key')).toBeNull();
  });

  it('are entered with their key; input is kept when the service refuses it', async () => {
    server.answers = { useExisting: failing };
    renderPage(<Workspace />, { load });
    await press('Switch company');
    await press('Enter an existing company');
    await press('Use this company');
    const summary = screen.getByRole('alert');
    expect(within(summary).getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Organisation id: enter letters, digits and punctuation without spaces, such as 0b9d3f5e-4c1a-4c55-9f0e-2a6f5d1c7b11', 'Signing key: enter a value of at most 1000 characters']); // prettier-ignore
    expect(bodies('useExisting')).toEqual([]);
    expect(screen.getByLabelText<HTMLInputElement>('Signing key').type).toBe('password');
    await enter(userEvent, screen.getByLabelText('Organisation id'), ' organisation-2 ');
    await enter(userEvent, screen.getByLabelText('Signing key'), 'wrong');
    await press('Use this company');
    expect(await screen.findByRole('heading', { name: problem.title })).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('Organisation id').value).toBe(' organisation-2 ');
    server.answers = { useExisting: () => ({}) };
    await press('Use this company');
    await waitFor(() => expect(screen.queryByLabelText('Signing key')).toBeNull());
    expect(bodies('useExisting')).toEqual([1, 2].map(() => ({ organisationId: 'organisation-2', companyId: '', signingKey: 'wrong' }))); // prettier-ignore
  });

  it('say that the signing key is wrong, and offer to enter the right one or restore the previous one (behaviour 3.25, 6.10)', async () => {
    const wrong = (hasPreviousKey: boolean) =>
      withFacts(everything, { lost: 'signingKey', companies: [{ ...first, hasPreviousKey }], companyKey: 'first' });
    server.answers = { restoreSigningKey: failing };
    const { unmount } = renderPage(<Workspace />, { load: () => Promise.resolve(wrong(true)) });
    expect(await screen.findByText(/does not accept the signing key/)).toBeDefined();
    expect(screen.queryByText(/deleted|Start over/)).toBeNull();
    await press('Restore the previous signing key of the organisation');
    expect(await screen.findByRole('heading', { name: problem.title })).toBeDefined();
    server.answers = { restoreSigningKey: () => ({ data: {} }) };
    await press('Restore the previous signing key of the organisation');
    await waitFor(() => expect(screen.queryByRole('heading', { name: problem.title })).toBeNull());
    expect(bodies('restoreSigningKey')).toEqual([1, 2].map(() => ({ organisationId: 'organisation-1' })));
    await press('Enter signing key');
    expect(await screen.findByLabelText('Signing key')).toBeDefined();
    unmount();
    const live = { ...wrong(false), environment: 'live' } as const;
    const shown = renderPage(<Workspace />, { load: () => Promise.resolve(live) });
    await screen.findByRole('button', { name: 'Enter signing key' });
    expect(screen.queryByRole('button', { name: 'Remove this organisation here' })).toBeNull();
    shown.unmount();
    renderPage(<Workspace />, { load: () => Promise.resolve(wrong(false)) });
    await screen.findByRole('button', { name: 'Enter signing key' });
    expect(screen.queryByRole('button', { name: /Restore/ })).toBeNull();
    await press('Remove this organisation here');
    expect(await screen.findByRole('alertdialog')).toBeDefined();
  });

  it('say that the service no longer knows the current one, and offer to start over or to remove it', async () => {
    server.answers = { removeRecord: () => ({}) };
    renderPage(<Workspace />, { load: () => Promise.resolve(withFacts(facts, { lost: 'company' })) });
    const start = await screen.findByRole('link', { name: 'Start over' });
    expect(start.getAttribute('href')).toMatch(/^\/createcompany/);
    await press('Remove this company here');
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(bodies('removeRecord')).toEqual([{ kind: 'company', id: 'company-1' }]));
  });
});
