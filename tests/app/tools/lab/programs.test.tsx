// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { secretIsSet } from '#contract/secrets.ts';
import type { ProgramCheck, ProgramTokenShown, ProgramValue, ProgramVerdict } from '#contract/programShapes.ts';
import { connection } from '#app/client/connection.ts';
import { ProgramsPage } from '#app/tools/lab/ProgramsPage.tsx';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { everything } from '#tests/support/facts.ts';
import { openLab } from '#tests/support/openLab.ts';
import { failure } from '#tests/support/fixtures.ts';
import { renderPage } from '#tests/support/page.tsx';

const secret = `pocp_${'s'.repeat(43)}`;
const tokenOf = (tokenId: string, name: string, more: Partial<ProgramTokenShown> = {}): ProgramTokenShown => ({
  tokenId,
  name,
  beginning: 'pocp_abcd',
  madeAt: '2026-01-31T09:00:00.000Z',
  usedAt: '',
  expired: false,
  expiresAt: '2026-03-02T09:00:00.000Z',
  ...more,
});

const checkOf = (id: string, more: Partial<ProgramCheck> = {}): ProgramCheck => ({
  id,
  group: 'Writes',
  title: `Title of ${id}`,
  why: `Why ${id}.`,
  mend: `Mend ${id}.`,
  verdict: 'not exercised',
  seen: [],
  exercise: null,
  verifyOnly: false,
  ...more,
});

const valuesFor = (reveal = ''): ProgramValue[] =>
  [
    { variables: ['PAYMENTS_URL'], says: 'The address', secret: false, value: 'http://127.0.0.1:3001' },
    { variables: ['PAYMENTS_API_KEY', 'API_KEY'], says: 'For `x-api-key`', secret: true, value: 'sandbox-key' },
    { variables: ['USER_TOKEN'], says: 'For the user’s calls', secret: true, value: '' },
    { variables: ['TOKEN'], says: 'For the header `Authorization`', secret: true, value: 'eyJ.token' },
  ].map((each) => {
    const isAsked = reveal === 'all' || each.variables.includes(reveal);
    return each.secret && each.value !== '' && !isAsked ? { ...each, value: secretIsSet } : each;
  });

let tokens: ProgramTokenShown[];
let recorded: boolean;
let checks: ProgramCheck[];
let verdict: ProgramVerdict;
beforeEach(() => {
  server.made.length = 0;
  [tokens, recorded, checks] = [[], true, []];
  verdict = { connection: null, running: null, stopped: '', report: null };
  openLab();
  server.answers = {
    ...server.answers,
    getProgramChecks: () => ({ data: checks }),
    getProgramVerdict: () => ({ data: verdict }),
    getPrograms: () => ({ data: { recorded, tokens } }),
    makeProgramToken({ body }) {
      const made = tokenOf(`id-${tokens.length}`, (body as unknown as { name: string }).name); // the call's
      tokens = [made, ...tokens];
      return { data: { token: secret, made } };
    },
    confirmProgramToken: () => ({ data: null }),
    getProgramEnvironment: ({ query }) => ({ data: valuesFor((query as { reveal?: string } | undefined)?.reveal) }), // the call's
    revokeProgramToken({ params }) {
      tokens = tokens.filter(({ tokenId }) => tokenId !== (params as { tokenId: string }).tokenId); // the call's
      return { data: null };
    },
  };
});

const open = (facts = everything, at = '/programs') =>
  renderPage(<ProgramsPage />, { load: () => Promise.resolve(facts), at });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const enter = async (text: string) => {
  const box = await screen.findByRole('textbox', { name: 'Name of the program' });
  await userEvent.clear(box);
  await userEvent.click(box);
  if (text) await userEvent.paste(text);
};
const rows = async () =>
  within(await screen.findByRole('table', { name: /tokens?/ }))
    .queryAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent);

describe('the page for programs of one’s own', () => {
  it('names the command that checks a program, to be copied (behaviour 10.21.7)', async () => {
    open();
    expect((await screen.findByLabelText('the command')).textContent).toBe('npm run verify -- node your-app.mjs');
  });

  it.each([
    ['node /opt/console/scripts/verify.mjs -- node your-app.mjs', /Run it in your app’s folder/],
    ['npx ./payments-out-console-0.3.0.tgz verify -- node your-app.mjs', /what npm pack makes/],
  ])('names the command that the server gives, and where it runs: %s', async (command, where) => {
    const meta = document.createElement('meta');
    Object.assign(meta, { name: 'verify', content: command });
    document.head.append(meta);
    open();
    expect((await screen.findByLabelText('the command')).textContent).toBe(command);
    expect(screen.getByText(where)).toBeDefined();
    meta.remove();
  });

  it('lists the checks of the app’s calls, failed ones first, and sets the fault that exercises one (behaviour 10.21.8)', async () => {
    const exercise = {
      on: 'call',
      of: 'createBatch',
      fault: { kind: 'answerLost' },
      times: 1,
      probability: 1,
      seed: 1,
    };
    const at = '2026-01-31T09:00:00.000Z';
    checks = [
      checkOf('lost', { exercise: exercise as ProgramCheck['exercise'] }),
      checkOf('restart', { verifyOnly: true }),
      checkOf('polls', { group: 'Reading' }),
      checkOf('key', {
        verdict: 'failed',
        seen: [
          {
            says: 'The program retried with another key',
            calls: [{ number: 7, at, method: 'POST', operation: 'createBatch', status: 0 }],
          },
        ],
      }),
    ];
    open();
    const region = within(await screen.findByRole('region', { name: 'Live' }));
    const failed = (await region.findByRole('list', { name: 'Failed' })).textContent;
    for (const part of ['The program retried with another key', 'Call 7: POST createBatch, no response', 'Mend key.'])
      expect(failed).toContain(part);
    expect(region.getByText(/^Every call to the sandbox is judged by 3 checks\./)).toBeDefined();
    expect(region.queryByText(/not exercised/)).toBeNull();
    await userEvent.click(region.getByText('Provoke a mistake: 1 fault'));
    const set = /^Set this fault: When create batch is called: Response lost, the next time/;
    await userEvent.dblClick(region.getByRole('button', { name: set }));
    expect(await region.findByText(/This fault is set: run your app\./)).toBeDefined();
    expect(requests('setFault').map(({ body }) => body)).toEqual([exercise]);
    expect(region.getByRole('button', { name: set }).getAttribute('aria-disabled')).toBe('true');
  });

  it('reads the checks again when a program has called (behaviour 10.21.8)', async () => {
    const on = vi.spyOn(connection, 'on');
    checks = [checkOf('key')];
    open();
    await screen.findByText(/^Every call to the sandbox is judged by 1 check\./);
    expect(screen.queryByRole('list', { name: 'Failed' })).toBeNull();
    checks = [checkOf('key', { verdict: 'failed' })];
    on.mock.calls.forEach(
      ([type, listener]) => type === 'entry' && listener({ type, entry: { kind: 'program' } } as never), // its other members are not read
    );
    expect(await screen.findByRole('list', { name: 'Failed' })).toBeDefined();
  });

  it('shows no checks of calls to a service other than the embedded sandbox', async () => {
    open();
    await screen.findByRole('button', { name: 'Create token' });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Live' })).toBeNull());
  });

  const at = '2026-01-31T09:00:00.000Z';
  const judged: ProgramVerdict['report'] = {
    command: 'node nightly.mjs',
    endedAt: at,
    ms: 21_000,
    again: null,
    scenarios: 18,
    latest: 18,
    all: 18,
    checks: [
      {
        ...checkOf('lost', { verdict: 'failed' }),
        allowed: '',
        seen: [{ says: 'It paid twice', scenario: 'lost', calls: [2] }],
      },
      { ...checkOf('key', { verdict: 'passed' }), allowed: '', seen: [] },
      { ...checkOf('polls', { group: 'Reading' }), allowed: '', seen: [] },
    ],
    history: [],
    failed: [
      {
        id: 'lost',
        title: 'The response is lost',
        calls: [1, 2].map((number) => ({
          number,
          at,
          method: 'POST',
          path: '/v3/batchpayments',
          status: number === 1 ? 0 : 201,
          fault: number === 1 ? 'answerLost' : '',
          key: `8c2${number}…07`,
        })),
      },
    ],
  };

  it('leads with the verdict: failed checks with evidence, and one line for each group (behaviour 10.21.10)', async () => {
    verdict = { ...verdict, report: { ...judged, again: '' } };
    open();
    expect(await screen.findByText('1 of 2 checks failed')).toBeDefined();
    expect(screen.getByLabelText('the command').textContent).toBe('npm run verify -- node nightly.mjs');
    const failed = screen.getByRole('region', { name: 'Failed checks' }).textContent;
    for (const part of ['Title of lost', 'It paid twice', 'key 8c22…07', 'Response lost', 'Why lost.', 'Mend lost.'])
      expect(failed).toContain(part);
    const groups = within(screen.getByRole('region', { name: 'Groups of checks' }));
    expect(groups.getByText('1 of 2')).toBeDefined();
    expect(groups.getAllByText('not exercised')[0]).toBeDefined();
  });

  it('shows the verdicts over time, with the failed checks of each (behaviour 10.21.10)', async () => {
    const history = [
      { endedAt: at, passed: 8, failed: ['Title of lost'] },
      { endedAt: '2026-01-31T10:00:00.000Z', passed: 9, failed: [] },
    ];
    verdict = { ...verdict, report: { ...judged, history } };
    open();
    expect(await screen.findByRole('img', { name: '2 verdicts, 1 with failed checks' })).toBeDefined();
    const listed = screen.getByRole('list', { name: 'Verdicts' }).textContent;
    expect(listed).toMatch(/: 9 checks passed.*: Title of lost$/);
  });

  const scenarioOf = (id: string, calls: number[]) => ({
    id,
    title: `Scenario ${id}`,
    calls: calls.map((number) => ({
      number,
      at,
      method: 'POST',
      path: `/v3/call-${number}`,
      status: 201,
      fault: 'tooMany',
      key: '',
    })),
  });

  it('shows a finding once, and folds the scenarios that only repeat it (behaviour 10.21.14)', async () => {
    const seen = [
      { says: 'It paid twice', scenario: 'a', calls: [1] },
      { says: 'It paid twice', scenario: 'a', calls: [1, 2] },
      { says: 'It paid twice', scenario: 'b', calls: [3] },
      { says: 'It gave up', scenario: 'c', calls: [4] },
      { says: 'It paid twice', scenario: 'c', calls: [5] },
    ];
    verdict = {
      ...verdict,
      report: {
        ...judged,
        checks: [{ ...checkOf('lost', { verdict: 'failed' }), allowed: '', seen }],
        failed: [scenarioOf('a', [1, 2]), scenarioOf('b', [3]), scenarioOf('c', [4, 5])],
      },
    };
    open();
    const region = await screen.findByRole('region', { name: 'Failed checks' });
    expect(within(region).getAllByText('Scenario a: It paid twice')).toHaveLength(1);
    expect(within(region).getByText('Scenario c: It gave up').closest('details')).toBeNull();
    const repeated = within(region).getByText('Scenario b: It paid twice').closest('details');
    expect(repeated?.querySelector('summary')?.textContent).toBe('The same in 1 other scenario');
    expect(region.textContent).toContain('201, Too many calls');
    expect(region.textContent).not.toMatch(/tooMany/);
  });

  it.each([
    [{ scenarios: 18, latest: 18, all: 18 }, /in 18 scenarios, 21 s$/],
    [{ scenarios: 1, latest: 1, all: 18 }, /in 1 of 18 scenarios, 21 s$/],
    [{ scenarios: 18, latest: 2, all: 18 }, /in 18 scenarios, 2 of them again$/],
    [{ scenarios: 3, latest: 1, all: 18 }, /in 3 of 18 scenarios, 1 of them again$/],
  ])('says how much was judged: %j (behaviour 10.21.13)', async (extent, says) => {
    verdict = { ...verdict, report: { ...judged, ...extent } };
    open();
    const judgement = await screen.findByText(/udged/);
    expect(judgement.textContent).toMatch(says);
    // The program stands on the page once: here, or in the command that works.
    expect(document.body.textContent?.match(/node nightly\.mjs/g)).toHaveLength(1);
  });

  it('does not count a check that may fail as failed, and shows why it may (behaviour 10.21.13)', async () => {
    const [lost, ...others] = judged.checks;
    verdict = { ...verdict, report: { ...judged, checks: [{ ...lost!, allowed: 'Mended in May' }, ...others] } };
    open();
    expect(await screen.findByText('1 check passed')).toBeDefined();
    const region = within(screen.getByRole('region', { name: 'Failed checks' }));
    expect(region.getByText('Failed, as is allowed')).toBeDefined();
    expect(region.getByText('Allowed: Mended in May')).toBeDefined();
  });

  it('follows a verification that runs, and says why one has no verdict (behaviour 10.21.10)', async () => {
    verdict = { ...verdict, report: judged, running: { startedAt: at, done: 3, of: 18 } };
    open();
    expect((await screen.findByText(/3 of 18 scenarios judged/)).textContent).toContain('Running');
    verdict = { ...verdict, running: null, stopped: 'node was not found.' };
    document.dispatchEvent(new Event('visibilitychange'));
    expect(await screen.findByText('No new verdict: node was not found.')).toBeDefined();
  });

  it.each([
    ['--timeout 20', 'npm run verify -- --timeout 20 --only lost -- node nightly.mjs'],
    ['', 'npm run verify -- --only lost -- node nightly.mjs'],
  ])(
    'has the command that runs a failed scenario alone, with options %j (behaviour 10.21.11)',
    async (again, command) => {
      verdict = { ...verdict, report: { ...judged, again } };
      open();
      expect((await screen.findByLabelText('the command for The response is lost')).textContent).toBe(command);
    },
  );

  it('says what to add to a command that has a secret (behaviour 10.21.11)', async () => {
    verdict = { ...verdict, report: { ...judged, again: null } };
    open();
    expect((await screen.findByText(/contains a secret/)).textContent).toContain('add --only lost to yours');
  });

  it('checks off what the app has done as it calls (behaviour 10.21.12)', async () => {
    verdict = { ...verdict, connection: { calls: 0, lastAt: '', call: null, payment: null } };
    open();
    const list = within(await screen.findByRole('region', { name: 'Connect' }));
    const done = () => list.getAllByRole('listitem').map((item) => within(item).getByRole('img').ariaLabel);
    expect(done()).toEqual(['Not yet', 'Not yet', 'Not yet', 'Not yet']);
    tokens = [tokenOf('a', 'Nightly', { usedAt: at })];
    const lost = { at, status: 0 };
    verdict = { ...verdict, connection: { calls: 2, lastAt: at, call: { at, status: 200 }, payment: lost } };
    document.dispatchEvent(new Event('visibilitychange'));
    await list.findByText('no response');
    expect(done()).toEqual(['Done', 'Done', 'Not yet', 'Not yet']);
    verdict = { ...verdict, connection: { calls: 3, lastAt: at, call: lost, payment: { at, status: 201 } } };
    document.dispatchEvent(new Event('visibilitychange'));
    await list.findByText('201');
    expect(done()).toEqual(['Done', 'Done', 'Done', 'Not yet']);
  });

  it('creates a token, shows it with an example until it is copied, and hides it (behaviour 7.14)', async () => {
    const { container } = open();
    expect(await screen.findByRole('button', { name: 'Create token' })).toBeDefined();
    expect(screen.getByLabelText('the base URL').textContent).toBe(`${location.origin}/program`);
    expect(screen.getByLabelText('the example').textContent).toContain('x-console-token: YOUR-TOKEN');
    await enter(' Nightly ');
    await press('Create token');
    expect(await screen.findByText('Token of Nightly created.')).toBeDefined();
    expect(requests('makeProgramToken').map(({ body }) => body)).toEqual([{ name: 'Nightly' }]);
    expect(screen.getByLabelText('the token').textContent).toBe(secret);
    expect(screen.getByLabelText('the example').textContent).toContain(`x-console-token: ${secret}`);
    expect(screen.getByLabelText('the example').textContent).toContain('$API_KEY');
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect((await rows())[0]).toMatch(/^Nightlypocp_abcd….*never/);
    await press('I have copied it');
    expect(container.innerHTML).not.toContain(secret);
    await waitFor(() => expect(requests('confirmProgramToken')).toHaveLength(1));
  });

  it('lists when each was used and expires, and revokes one once that is confirmed (behaviour 7.14)', async () => {
    tokens = [tokenOf('a', 'Nightly', { usedAt: '2026-02-01T10:00:00.000Z' }), tokenOf('b', 'Old', { expired: true })];
    open();
    await waitFor(async () => expect((await rows())[1]).toContain('expired'));
    expect((await rows())[0]).not.toContain('never');
    await press('Revoke the token of Nightly …');
    await press('Cancel');
    expect(requests('revokeProgramToken')).toEqual([]);
    await press('Revoke the token of Nightly …');
    await press('Revoke the token');
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect(requests('revokeProgramToken').map(({ params }) => params)).toEqual([{ tokenId: 'a' }]);
  });

  it('says what failed, and that calls are not recorded', async () => {
    recorded = false;
    const { getPrograms } = server.answers;
    server.answers['getPrograms'] = () => Promise.reject(failure); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- ports reject with problems (machines/lib/effect.ts)
    open();
    await screen.findByText(failure.title);
    server.answers['getPrograms'] = getPrograms!;
    await press('Try again');
    expect(await screen.findByText(/Calls are forwarded, but not recorded/)).toBeDefined();
    server.answers['makeProgramToken'] = () => Promise.reject(failure); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- as above
    await enter('Nightly');
    await press('Create token');
    await screen.findByText(failure.title);
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(screen.queryByText(failure.title)).toBeNull());
  });
});

describe('“Connect your program”', () => {
  const region = async () => within(await screen.findByRole('region', { name: 'Connect your program' }));

  it('reveals one secret at a time, for 20 s, and asks for no other (behaviour 10.21.7; threat 2.1)', async () => {
    open(everything, '/programs#connect');
    const shown = await region();
    await press('Reveal PAYMENTS_API_KEY');
    expect(await shown.findByText('sandbox-key')).toBeDefined();
    expect(requests('getProgramEnvironment').flatMap(({ query }) => (query ? [query] : []))).toEqual([
      { reveal: 'PAYMENTS_API_KEY' },
    ]);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await press('Reveal TOKEN');
    expect(await shown.findByText('eyJ.token')).toBeDefined();
    expect(shown.queryByText('sandbox-key')).toBeNull();
    await press('Hide TOKEN');
    await waitFor(() => expect(shown.queryByText('eyJ.token')).toBeNull());
    await vi.advanceTimersByTimeAsync(2000); // no double click
    await press('Reveal TOKEN');
    expect(await shown.findByText('eyJ.token')).toBeDefined();
    await vi.advanceTimersByTimeAsync(20_000);
    await waitFor(() => expect(shown.queryByText('eyJ.token')).toBeNull());
    vi.useRealTimers();
  });

  it('copies .env with each value below where it goes, and shows none of its secrets (behaviour 10.21.7)', async () => {
    const user = userEvent.setup();
    open(everything, '/programs#connect');
    const shown = await region();
    await user.click(await shown.findByRole('button', { name: 'Copy .env' }));
    expect(await shown.findByText('.env copied.')).toBeDefined();
    expect(await navigator.clipboard.readText()).toBe(
      [
        '# The address',
        'PAYMENTS_URL=http://127.0.0.1:3001',
        '',
        '# For x-api-key',
        'PAYMENTS_API_KEY=sandbox-key',
        'API_KEY=sandbox-key',
        '',
        '# For the user’s calls',
        'USER_TOKEN=',
        '',
        '# For the header Authorization',
        'TOKEN=eyJ.token',
        '',
      ].join('\n'),
    );
    expect(shown.queryByText('sandbox-key')).toBeNull();
    expect(shown.getByText('None yet')).toBeDefined();
  });

  it('says of a live service that the secrets are those of the registration', async () => {
    open({ ...everything, environment: 'live' }, '/programs#connect');
    const shown = await region();
    expect(await shown.findAllByText('Yours, from the registration')).toHaveLength(2);
    expect(shown.queryByRole('button', { name: /^Reveal/ })).toBeNull();
  });
});
