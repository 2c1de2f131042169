import { describe, expect, it } from 'vitest';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { paletteMachine } from '#machines/palette.machine.ts';
import { everything } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const suspend = { type: 'act.run', act: 'suspend', facts: everything };
const use = { type: 'company.use', owner: { organisationId: 'organisation-1', companyId: 'company-2' } };

/** A palette, and what it has emitted. */
function opened() {
  const palette = run(paletteMachine);
  const told: string[] = [];
  palette.actor.on('*', ({ type }) => told.push(type));
  return { ...palette, told };
}

describe('the command palette', () => {
  it.each([
    ['answer', suspend, 'act', ['facts.changed']],
    ['refuse', suspend, 'act', ['facts.changed']],
    ['answer', use, 'use', ['company.used', 'facts.changed']],
    ['refuse', use, 'use', ['facts.changed']],
  ] as const)('runs an action once on a double click, and emits events: %s %o', async (how, event, port, tells) => {
    const palette = opened();
    await palette.sends(event);
    await palette.sends(event);
    await (how === 'answer' ? palette.answer(port, 'It is suspended.') : palette.refuse(port, failure));
    await palette.sends(event);
    expect([palette.at(), palette.calls.length, palette.told]).toEqual(['turned', 1, tells]);
    expect(palette.context()['failure']).toEqual(how === 'answer' ? null : failure);
    await palette.pass(doubleClick);
    await palette.sends(event);
    expect([palette.calls.length, palette.context()['said'], palette.context()['failure']]).toEqual([2, '', null]);
  });

  it('keeps the result of an action when it is ready for the next one', async () => {
    const palette = opened();
    await palette.sends(suspend);
    expect(palette.pending('act').input).toEqual({ act: 'suspend', facts: everything });
    await palette.answer('act', 'It is suspended.');
    await palette.pass(doubleClick);
    expect([palette.at(), palette.context()['said']]).toEqual(['ready', 'It is suspended.']);
  });
});

describeWatched(paletteMachine);
