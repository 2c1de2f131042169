// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { jsonReport, junitReport, type Part } from '#command/reports.ts';
import type { Walked } from '#runner/runJourney.ts';

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
