import { describe, expect, it } from 'vitest';
import type { ProgramVerdict } from '#contract/programShapes.ts';
import { verdictInterval, verdictMachine } from '#machines/lab/verdict.machine.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const verdict = (more: Partial<ProgramVerdict> = {}) => ({
  connection: null,
  running: null,
  stopped: '',
  blocked: '',
  webhookAt: '',
  report: {
    command: 'node pay.mjs',
    endedAt: '2026-01-31T09:00:00.000Z',
    ms: 1,
    scenarios: 2,
    checks: [],
    failed: [{ id: 'lost-response', title: 'The response to the batch is lost', calls: [] }],
  },
  ...more,
});
const running = { startedAt: '2026-01-31T09:00:00.000Z', done: 0, of: 1 };
const again = (scenario = 'lost-response') => ({ type: 'scenario.run', scenario });
const stale = { type: 'facts.stale' };

const shown = async (more: Partial<ProgramVerdict> = {}) => {
  const page = run(verdictMachine);
  await page.answer('readVerdict', verdict(more));
  return page;
};

describe('the verdict on a program', () => {
  it('is read again every two seconds, and when the page becomes visible (behaviour 10.21.10)', async () => {
    const { at, context, answer, pass, sends } = await shown();
    await pass(verdictInterval);
    expect(at()).toEqual({ shown: 'refreshing' });
    await sends(stale);
    await answer('readVerdict', verdict({ running }));
    expect([at(), (context()['verdict'] as ProgramVerdict).running]).toEqual([{ shown: 'followed' }, running]);
    await sends(stale);
    expect(at()).toEqual({ shown: 'refreshing' });
  });

  it.each([
    ['a verification runs', { running }, 'lost-response'],
    ['the console may start none', { blocked: 'Not here.' }, 'lost-response'],
    ['the scenario has not failed', {}, 'works'],
    ['there is no verdict', { report: null }, 'lost-response'],
  ])('has no scenario to run again while %s (behaviour 10.21.11)', async (_, more, scenario) => {
    const { can, sends, at } = await shown(more);
    expect(can(again(scenario))).toBe(false);
    await sends(again(scenario));
    expect(at()).toEqual({ shown: 'followed' });
  });

  it('starts a scenario once on a double click, and then follows it (behaviour 10.21.11)', async () => {
    const { sends, at, pending, answer, calls } = await shown();
    await sends(again());
    await sends(again());
    expect([at(), pending('runScenario').input]).toEqual(['starting', 'lost-response']);
    await answer('runScenario');
    await sends(again());
    await sends(stale);
    expect(at()).toBe('rereading');
    await answer('readVerdict', verdict({ running }));
    await sends(again());
    expect([at(), calls.filter(({ port }) => port === 'runScenario')]).toMatchObject([{ shown: 'followed' }, [{}]]);
  });

  it('can be read and run again after a failure', async () => {
    const first = run(verdictMachine);
    await first.refuse('readVerdict', failure);
    expect(first.at()).toBe('unread');
    await first.sends(stale);
    await first.refuse('readVerdict', failure);
    await first.sends({ type: 'retry' });
    expect([first.at(), first.context()['failure']]).toEqual(['reading', null]);

    const later = await shown();
    await later.sends(stale);
    await later.refuse('readVerdict', failure);
    expect(later.at()).toBe('unread');

    for (const [event, to] of [
      [again(), 'starting'],
      [{ type: 'retry' }, { shown: 'refreshing' }],
      [stale, { shown: 'refreshing' }],
    ] as const) {
      const refused = await shown();
      await refused.sends(stale);
      await refused.sends(again());
      await refused.refuse('runScenario', failure);
      expect([refused.at(), refused.context()['failure']]).toEqual([{ shown: 'refused' }, failure]);
      await refused.sends(event);
      expect(refused.at()).toEqual(to);
    }
    const lost = await shown();
    await lost.sends(again());
    await lost.answer('runScenario');
    await lost.refuse('readVerdict', failure);
    expect(lost.at()).toBe('unread');
  });
});

describeWatched(verdictMachine);
