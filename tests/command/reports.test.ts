// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { jsonReport, junitReport, type Part } from '#command/reports.ts';
import type { Walked, Walker } from '#runner/runJourney.ts';
import { type Lab, rehearse } from '#runner/rehearse.ts';
import { scenarios } from '#runner/scenarios.ts';
import { everything } from '#tests/support/facts.ts';
import { environmentFor, environmentWithoutConsole } from '#command/start.ts';
import { parseConfig, variableNames } from '#server/config/config.ts';

const walked = (more: Partial<Walked>): Walked => ({
  journey: 'company',
  end: 'done',
  states: ['editing', 'submitting', 'succeeded'],
  ms: 1234,
  waited: 200.4,
  because: '',
  problem: null,
  result: { companyId: 'company-1', token: 'secret', number: 7 },
  context: { secret: 'secret' },
  ...more,
});
const run = (...parts: Part[]) => ({
  console: 'http://127.0.0.1:3000',
  environment: 'sandbox',
  startedAt: '2026-01-31T09:00:00.000Z',
  ms: 2000,
  waited: 400,
  cpu: 100,
  parts,
});

/** A report as an XML parser reads it. */
function parsed(...parts: Part[]) {
  const xml = new DOMParser().parseFromString(junitReport(run(...parts)), 'application/xml');
  expect(xml.querySelector('parsererror')).toBeNull();
  return xml;
}

describe('the JUnit report', () => {
  it('has a suite with a case for each journey, with its time, its states and its failure', () => {
    const xml = parsed({
      scenario: null,
      journeys: [
        walked({}),
        walked({ journey: 'batch', end: 'failed', because: 'Batch 1 is Rejected' }),
        walked({ journey: 'providers', end: 'skipped', because: 'batch has failed' }),
      ],
    });
    const suite = xml.querySelector('testsuites > testsuite');
    const of = (name: string) => suite?.getAttribute(name);
    expect(['name', 'tests', 'failures', 'skipped', 'errors'].map(of)).toEqual(['journeys', '3', '1', '1', '0']);
    const cases = [...xml.querySelectorAll('testcase')];
    expect(cases.map((each) => each.getAttribute('name'))).toEqual([
      'company: Create Company',
      'batch: Get Batch',
      'providers: Providers',
    ]);
    expect(cases[0]?.getAttribute('time')).toBe('1.234');
    expect(cases[0]?.querySelector('system-out')?.textContent).toBe('editing -> submitting -> succeeded');
    expect(cases[1]?.querySelector('failure')?.getAttribute('message')).toBe('Batch 1 is Rejected');
    expect(cases[2]?.querySelector('skipped')?.getAttribute('message')).toBe('batch has failed');
  });

  it('is well-formed XML whatever text the service returns (behaviour 10.19.3)', () => {
    const because = 'a <b> & "c" \u0000\u0008\ud800 ]]> \u{1f600}';
    const xml = parsed({ scenario: null, journeys: [walked({ end: 'failed', because })] });
    expect(xml.querySelector('failure')?.getAttribute('message')).toBe('a <b> & "c" \ufffd\ufffd\ufffd ]]> \u{1f600}');
  });
});

it('the JSON report contains each journey’s result and created ids, and no other values (behaviour 10.19.3)', () => {
  const text = jsonReport(run({ scenario: null, journeys: [walked({})] }));
  expect(JSON.parse(text)).toEqual({
    kind: 'payments-out-journeys-report',
    version: 1,
    ...run(),
    ok: true,
    parts: [
      {
        scenario: null,
        journeys: [
          {
            journey: 'company',
            name: 'Create Company',
            end: 'done',
            ms: 1234,
            waited: 200,
            states: ['editing', 'submitting', 'succeeded'],
            made: { companyId: 'company-1' },
          },
        ],
      },
    ],
  });
  expect(text).not.toContain('secret');
});

const lost = new Error('The answer was lost.');

/** Rehearses where the lab fails from its call number `from` on. Returns what was done at the end, and how it ended. */
async function rehearsed(from: number) {
  const done: string[] = [];
  let calls = 0;
  const ask = (name: string) => (): Promise<never> => {
    calls += 1;
    if (calls >= from) return Promise.reject(lost);
    done.push(name);
    return Promise.resolve([] as never); // nothing to list
  };
  const lab: Lab = {
    set: ask('set'),
    rules: ask('rules'),
    stop: ask('stop'),
    batches: ask('batches'),
    webhooks: ask('webhooks'),
    move: ask('move'),
    resetClock: ask('resetClock'),
    everyDay: ask('everyDay'),
  };
  const failed = [{ journey: 'company', end: 'failed', because: 'refused' }];
  const facts = () => Promise.resolve(everything);
  const walker = { facts, factsNow: facts, all: () => Promise.resolve(failed) } as unknown as Walker; // what is used
  const restore = (found: typeof everything) => void done.push(`restores ${found.settings.companyId}`);
  const ended = rehearse(scenarios[0]!, walker, lab, async (found) => Promise.resolve(restore(found)));
  return { ended: await ended.then(({ because }) => because, String), done };
}

it('a rehearsal restores the company that it found although the answer of the lab is lost at its end (behaviour 10.20.13)', async () => {
  const company = `restores ${everything.settings.companyId}`;
  const { ended, done } = await rehearsed(3);
  expect(done.at(-1)).toBe(company);
  expect(ended).toBe(String(lost));
  expect((await rehearsed(Infinity)).done.slice(-3)).toEqual(['stop', 'resetClock', company]);
});

/** What the user of a journey may choose for its console. */
const passedOn = ['LOG_LEVEL', 'SANDBOX_SEED'];

const names = variableNames.filter((name) => !passedOn.includes(name));

it.each(names)('a journey’s own console starts whatever %s is in the shell', (name) => {
  for (const value of ['nonsense', 'https://other.example.com', '299'])
    expect(() => parseConfig(environmentFor('/tmp/journey', { [name]: value }))).not.toThrow();
});

it('a journey’s own console ends at once and answers in sentences, whatever is in the shell', () => {
  const shell = { DRAIN_TIME: '30', LOG_FORMAT: 'json', OIDC_ISSUER: 'https://login.example.com', OIDC_ALLOWED: 'all' };
  expect(environmentFor('/tmp/journey', shell)).toMatchObject({
    DRAIN_TIME: '',
    LOG_FORMAT: 'text',
    OIDC_ISSUER: '',
    OIDC_ALLOWED: '',
    HOST: '127.0.0.1',
    DATA_DIR: '/tmp/journey',
  });
});

it('a program that an agent verifies gets nothing that configures a console, and the rest of the shell (behaviour 10.23.4)', () => {
  const shell = Object.fromEntries(names.map((name) => [name, 'https://live.example.com']));
  expect(environmentWithoutConsole({ ...shell, PATH: '/bin', MY_LEDGER: 'a' })).toEqual({
    PATH: '/bin',
    MY_LEDGER: 'a',
  });
});
