import { describe, expect, it } from 'vitest';
import type { EventObject } from 'xstate';
import type { LabStanding } from '#contract/labCalls.ts';
import type { KeptRule } from '#contract/labShapes.ts';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { emptyingMachine } from '#machines/lab/emptying.machine.ts';
import { situationFileMachine } from '#machines/lab/situationFile.machine.ts';
import { labMachine, type LabAct } from '#machines/lab/lab.machine.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { labRowsMachine } from '#machines/lab/labRows.machine.ts';
import { faultForm } from '#rules/labForms.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const rule: KeptRule = {
  ruleId: 'rule-1',
  on: 'call',
  of: 'createBatch',
  fault: { kind: 'answerLost' },
  times: 1,
  probability: 1,
  seed: 1,
  asked: 0,
  happened: 0,
};
const nothing: LabStanding = {
  rules: [],
  clock: { now: '2026-01-31T09:00:00.000Z', offset: 0, still: false, pending: 0 },
  receiver: { url: null },
};
const everything: LabStanding = {
  rules: [rule],
  clock: { ...nothing.clock, offset: 60_000 },
  receiver: { url: 'http://127.0.0.1:9/' },
};
const stopped: LabStanding = { ...everything, clock: { ...nothing.clock, still: true } };
const absent = { ...failure, code: 'not-found' } as const;

describe('the fault lab', () => {
  const known = async (standing: LabStanding) => {
    const lab = run(labMachine);
    await lab.answer('readLab', standing);
    return lab;
  };
  const acts: (readonly [act: LabAct, possible: LabStanding, impossible: LabStanding | null])[] = [
    [{ type: 'lab.stop' }, everything, nothing],
    [{ type: 'faults.stop' }, everything, { ...everything, rules: [] }],
    [{ type: 'fault.remove', ruleId: 'rule-1' }, everything, nothing],
    [{ type: 'clock.reset' }, stopped, nothing],
    [{ type: 'clock.run' }, stopped, everything],
    [{ type: 'receiver.remove' }, everything, nothing],
    [{ type: 'clock.hold' }, nothing, stopped],
    [{ type: 'clock.move', ms: 60_000 }, nothing, null],
  ];

  it.each(acts)('applies %o if that is possible, and reads its state again', async (act, possible, impossible) => {
    const lab = await known(possible);
    expect(lab.at()).toEqual({ shown: 'known' });
    await lab.sends(act);
    expect([lab.at(), lab.pending('change').input]).toEqual(['acting', act]);
    await lab.refuse('change', failure);
    expect([lab.at(), lab.context()['failure'], lab.context()['lab']]).toEqual([
      { shown: 'refused' },
      failure,
      possible,
    ]);
    await lab.sends(act);
    await lab.answer('change');
    expect(lab.at()).toEqual({ shown: 'refreshing' });
    await lab.answer('readLab', nothing);
    expect(lab.context()).toMatchObject({ lab: nothing, failure: null });
    if (impossible) expect((await known(impossible)).can(act)).toBe(false);
  });

  it('ignores the second press of a double click, even if another control has taken its place', async () => {
    const lab = await known(nothing);
    await lab.sends({ type: 'clock.hold' });
    await lab.answer('change');
    await lab.sends({ type: 'facts.stale' });
    await lab.answer('readLab', stopped);
    expect([lab.at(), lab.can({ type: 'clock.run' })]).toEqual([{ shown: 'turned' }, false]);
    await lab.sends({ type: 'facts.stale' });
    expect([lab.at(), lab.can({ type: 'clock.run' })]).toEqual([{ shown: 'refreshing' }, false]);
    await lab.answer('readLab', stopped);
    await lab.pass(doubleClick);
    expect([lab.at(), lab.can({ type: 'clock.run' })]).toEqual([{ shown: 'known' }, true]);
    await lab.sends({ type: 'clock.run' });
    await lab.answer('change');
    await lab.refuse('readLab', failure);
    expect(lab.at()).toEqual({ shown: 'outdated' });
  });

  it('keeps its last reading and its controls if it cannot be read again (behaviour 6.11)', async () => {
    for (const [act, possible] of acts) {
      const lab = await known(possible);
      await lab.sends({ type: 'facts.stale' });
      await lab.refuse('readLab', failure);
      expect([lab.at(), lab.context()['failure'], lab.context()['lab']]).toEqual([
        { shown: 'outdated' },
        failure,
        possible,
      ]);
      await lab.sends(act);
      expect(lab.at()).toBe('acting');
    }
    for (const type of ['retry', 'facts.stale']) {
      const lab = await known(everything);
      await lab.sends({ type: 'facts.stale' });
      await lab.refuse('readLab', failure);
      await lab.sends({ type });
      await lab.answer('readLab', nothing);
      expect([lab.at(), lab.context()['failure']]).toEqual([{ shown: 'known' }, null]);
    }
  });

  it('applies any other control at once, before and after the state is read again', async () => {
    for (const isRead of [false, true])
      for (const [act] of acts) {
        if (['clock.hold', 'clock.run'].includes(act.type)) continue;
        const lab = await known(everything);
        await lab.sends({ type: 'clock.hold' });
        await lab.answer('change');
        if (isRead) await lab.answer('readLab', everything);
        await lab.sends(act);
        expect(lab.at()).toBe('acting');
      }
  });

  it('ignores the second press of an action whose control is still there, until half a second after the reading', async () => {
    for (const [act, possible] of acts) {
      if (act.type === 'clock.move') continue; // each press moves the clock
      const lab = await known(possible);
      await lab.sends(act);
      await lab.answer('change');
      expect(lab.can(act)).toBe(false);
      await lab.answer('readLab', possible);
      expect(lab.can(act)).toBe(false);
      await lab.pass(doubleClick);
      expect(lab.can(act)).toBe(true);
    }
  });

  it('applies a change while it is reading its state again', async () => {
    for (const [act, standing] of acts) {
      const lab = await known(standing);
      await lab.sends({ type: 'facts.stale' });
      await lab.sends(act);
      expect(lab.at()).toBe('acting');
    }
  });

  it('can be stopped only if a fault or the clock is changed', async () => {
    const can = async (standing: LabStanding) => (await known(standing)).can({ type: 'lab.stop' });
    expect(await can(nothing)).toBe(false);
    expect(await can({ ...nothing, clock: everything.clock })).toBe(true);
    expect(await can({ ...nothing, rules: [rule] })).toBe(true);
    expect((await known(everything)).can({ type: 'fault.remove', ruleId: 'another' } as LabAct)).toBe(false);
  });

  it('reads its state again after each event, also after a failure', async () => {
    const lab = run(labMachine);
    await lab.refuse('readLab', failure);
    expect([lab.at(), lab.context()['failure']]).toEqual(['unread', failure]);
    await lab.sends({ type: 'retry' });
    expect(lab.context()['failure']).toBeNull();
    await lab.refuse('readLab', failure);
    await lab.sends({ type: 'facts.stale' });
    await lab.answer('readLab', nothing);
    await lab.sends({ type: 'facts.stale' });
    await lab.sends({ type: 'facts.stale' });
    expect(lab.at()).toEqual({ shown: 'refreshing' });
    await lab.answer('readLab', everything);
    expect(lab.context()['lab']).toEqual(everything);
    await lab.sends({ type: 'facts.stale' });
    await lab.refuse('readLab', failure);
    expect(lab.at()).toEqual({ shown: 'outdated' });
    for (const type of ['retry', 'facts.stale']) {
      const refused = await known(everything);
      await refused.sends({ type: 'lab.stop' });
      await refused.refuse('change', failure);
      await refused.sends({ type });
      expect(refused.at()).toEqual({ shown: 'refreshing' });
    }
  });

  it('is absent at a service without a lab', async () => {
    const lab = run(labMachine);
    await lab.refuse('readLab', absent);
    expect([lab.at(), lab.context()['failure']]).toEqual(['absent', absent]);
  });
});

describe('a form of the fault lab', () => {
  const change = (field: string, value: string) => ({ type: 'form.change', field, value });
  const form = () => run(labFormMachine, faultForm);

  it('sends valid values, and can be sent again with other values', async () => {
    const { sends, at, answer, pass, pending, context, actor } = form();
    let done = 0;
    actor.on('done', () => (done += 1));
    await sends({ type: 'form.submit' });
    expect(pending('submit').input).toEqual(faultForm.first);
    await answer('submit', rule);
    expect([at(), context()['result'], done]).toEqual([{ taken: 'turned' }, rule, 1]);
    await sends({ type: 'form.submit' });
    expect(at(), 'the second press of a double click').toEqual({ taken: 'turned' });
    await pass(doubleClick);
    await sends({ type: 'form.submit' });
    await answer('submit', rule);
    await sends(change('probability', '0.5'));
    expect(at()).toBe('editing');
    await sends({ type: 'form.submit' });
    expect(pending('submit').input).toMatchObject({ probability: '0.5' });
  });

  it('sends nothing while it is in error, and validates fields in error at each change', async () => {
    const { sends, at, context, calls, answer } = form();
    await sends(change('chance', 'true'));
    await sends(change('probability', '2'));
    expect(context()['errors']).toEqual([]);
    await sends({ type: 'form.submit' });
    expect([at(), context()['errors']]).toEqual(['invalid', [{ id: 'probability', message: expect.any(String) as string }]]); // prettier-ignore
    await sends({ type: 'form.submit' });
    await sends(change('seed', 'x'));
    expect((context()['errors'] as unknown[]).length, 'only what was in error').toBe(1);
    await sends(change('seed', '1'));
    await sends(change('probability', '1'));
    expect([context()['errors'], calls]).toEqual([[], []]);
    await sends({ type: 'form.submit' });
    await answer('submit', rule);
    await sends(change('probability', ''));
    await sends({ type: 'form.submit' });
    expect(at()).toBe('invalid');
  });

  it('shows why it was refused, and keeps the entered values', async () => {
    const { sends, at, refuse, context } = form();
    for (const next of [{ type: 'form.submit' }, change('place', 'call batch')]) {
      await sends({ type: 'form.submit' });
      await refuse('submit', failure);
      expect([at(), context()['failure']]).toEqual(['refused', failure]);
      await sends(next);
      if (next.type === 'form.submit') await refuse('submit', failure);
    }
    expect(context()['values']).toMatchObject({ place: 'call batch' });
    const other = form();
    await other.sends({ type: 'form.submit' });
    await other.answer('submit', rule);
    await other.sends(change('times', ''));
    await other.sends(change('often', 'times'));
    await other.sends({ type: 'form.submit' });
    expect(other.at()).toBe('invalid');
  });
});

describe('a list of the fault lab', () => {
  const rows = [
    { id: 'a', may: ['step'] },
    { id: 'b', may: [] },
  ];
  const step = (id: string) => ({ type: 'row.act', id, act: 'step' });
  const listed = async (all = rows) => {
    const list = run(labRowsMachine);
    await list.answer('readRows', all);
    return list;
  };

  it('performs an action that its row allows, and is read again', async () => {
    const { sends, at, can, answer, pending, context } = await listed();
    expect([can(step('a')), can(step('b')), can(step('c')), can({ ...step('a'), act: 'other' } as EventObject)]).toEqual([true, false, false, false]); // prettier-ignore
    await sends(step('b'));
    expect(at()).toEqual({ shown: 'listing' });
    await sends(step('a'));
    expect(pending('act').input).toEqual({ id: 'a', act: 'step' });
    await answer('act', 'told');
    expect([at(), context()['result']]).toEqual([{ shown: 'refreshing' }, 'told']);
    await answer('readRows', []);
    expect(context()).toMatchObject({ rows: [], failure: null });
  });

  it('performs an action once on a double click, and another action at once (behaviour 10.6.2)', async () => {
    const done = async () => {
      const list = await listed([...rows, { id: 'd', may: ['step'] }]);
      await list.sends(step('a'));
      await list.answer('act', 'told');
      return list;
    };
    const { sends, at, can, answer, pass, calls } = await done();
    await sends(step('a'));
    await sends({ type: 'facts.stale' });
    await sends(step('a'));
    expect([at(), can(step('a')), can(step('d'))]).toEqual([{ shown: 'refreshing' }, false, true]);
    await answer('readRows', rows);
    await sends(step('a'));
    expect([at(), can(step('a'))]).toEqual([{ shown: 'turned' }, false]);
    await sends({ type: 'facts.stale' });
    await answer('readRows', rows);
    expect(calls.filter(({ port }) => port === 'act')).toHaveLength(1);
    await pass(doubleClick);
    expect([at(), can(step('a'))]).toEqual([{ shown: 'listing' }, true]);

    const early = await done();
    await early.sends(step('d'));
    expect([early.at(), early.context()['result']]).toEqual(['acting', null]);
    await early.answer('act', 'told');
    await early.answer('readRows', rows);
    await early.sends(step('a'));
    expect(early.at()).toBe('acting');

    const unread = await done();
    await unread.refuse('readRows', failure);
    expect(unread.at()).toBe('unread');
  });

  it('performs an action while it is being read again', async () => {
    const { sends, at } = await listed();
    await sends({ type: 'facts.stale' });
    await sends(step('a'));
    expect(at()).toBe('acting');
  });

  it('shows a failure and keeps its rows', async () => {
    const { sends, at, refuse, context, answer } = await listed();
    await sends(step('a'));
    await refuse('act', failure);
    expect([at(), context()['rows'], context()['failure']]).toEqual([{ shown: 'refused' }, rows, failure]);
    await sends(step('a'));
    await refuse('act', failure);
    await sends({ type: 'retry' });
    await refuse('readRows', failure);
    expect(at()).toBe('unread');
    await sends({ type: 'retry' });
    await refuse('readRows', failure);
    await sends({ type: 'facts.stale' });
    await answer('readRows', rows);
    await sends(step('a'));
    await refuse('act', failure);
    await sends({ type: 'facts.stale' });
    await sends({ type: 'facts.stale' });
    await answer('readRows', rows);
    await sends({ type: 'facts.stale' });
    expect(at()).toEqual({ shown: 'refreshing' });
  });
});

describe('emptying the sandbox', () => {
  it('asks for confirmation, and emits facts.changed when it may have happened', async () => {
    const { sends, at, answer, refuse, calls, context, actor } = run(emptyingMachine);
    let told = 0;
    actor.on('facts.changed', () => (told += 1));
    await sends({ type: 'empty.ask' });
    await sends({ type: 'dismiss' });
    expect([at(), calls, told]).toEqual(['resting', [], 0]);
    const empty = async () => {
      await sends({ type: 'empty.ask' });
      expect(at()).toBe('asking');
      await sends({ type: 'confirm' });
    };
    await empty();
    await refuse('empty', failure);
    expect([at(), context()['failure'], told]).toEqual(['refused', failure, 1]);
    await empty();
    await answer('empty');
    expect([at(), context()['failure'], told]).toEqual(['emptied', null, 2]);
    await empty();
    expect(at()).toBe('emptying');
  });
});

describe('a situation file', () => {
  const choice = { type: 'file.choose', file: new File(['{}'], 'moment.json') } as const;
  const alder = { organisationId: 'o-1', companyId: 'c-1', companyName: 'Alder Ltd' };
  const checked = { savedAt: '2026-01-01T00:00:00Z', opens: [], ends: [alder] };
  const choosing = async () => {
    const page = run(situationFileMachine);
    const told: unknown[] = [];
    page.actor.on('*', (event) => told.push(event));
    await page.sends(choice);
    return { ...page, told };
  };
  const opening = async () => {
    const page = await choosing();
    await page.answer('check', checked);
    return page;
  };

  it('is opened only once it was checked and the user confirms, and leads to its page (behaviour 10.27.1)', async () => {
    const { sends, at, answer, pending, context, told } = await choosing();
    await sends({ type: 'confirm' });
    expect(at()).toBe('checking');
    const other = new File(['{}'], 'other.json');
    await sends({ ...choice, file: other } as EventObject);
    expect([at(), pending('check').input]).toEqual(['checking', other]);
    await answer('check', checked);
    expect([at(), context()['file'], context()['checked']]).toEqual(['asking', other, checked]);
    await sends({ type: 'confirm' });
    await answer('open', { step: '/debtors', ended: [], notes: [] });
    expect([at(), told]).toEqual(['opened', [{ type: 'situation.opened', step: '/debtors' }]]);
  });

  const reached: Record<string, () => ReturnType<typeof choosing>> = {
    checking: choosing,
    asking: opening,
    async unfit() {
      const page = await choosing();
      await page.refuse('check', failure);
      return page;
    },
    async refused() {
      const page = await opening();
      await page.sends({ type: 'confirm' });
      await page.refuse('open', failure);
      return page;
    },
  };
  it.each(Object.keys(reached))(
    'is released or replaced while another one is chosen, with all that was said of it: %s (behaviour 10.27.6)',
    async (state) => {
      const page = await reached[state]!(); // its own key
      expect(page.at()).toBe(state);
      await page.sends({ type: 'file.release' });
      const nothing = { file: null, checked: null, opened: null, failure: null };
      expect([page.at(), page.context()]).toEqual(['resting', nothing]);
      const other = await reached[state]!(); // its own key
      await other.sends(choice);
      expect([other.at(), other.context()]).toEqual(['checking', { ...nothing, file: choice.file }]);
      const left = await reached[state]!(); // its own key
      await left.sends({ type: 'dismiss' });
      expect(left.at()).toBe('dismissed');
    },
  );

  it('that is none is refused when it is chosen, and cannot be opened (behaviour 10.27.3)', async () => {
    const { sends, at, refuse, context, calls } = await choosing();
    await refuse('check', failure);
    await sends({ type: 'confirm' });
    expect([at(), context()['failure'], calls.length]).toEqual(['unfit', failure, 1]);
    await sends(choice);
    expect([at(), context()['failure']]).toEqual(['checking', null]);
  });

  it('is dismissed until it is being opened, and after a refusal (behaviour 10.27.6)', async () => {
    const dismissed = ['dismissed', { type: 'situation.dismissed' }];
    const fresh = run(situationFileMachine);
    const asked = await opening();
    const refused = await opening();
    await refused.sends({ type: 'confirm' });
    await refused.sends({ type: 'dismiss' });
    expect([refused.at(), refused.told]).toEqual(['opening', []]);
    await refused.refuse('open', failure);
    for (const { actor, sends, at } of [fresh, asked, refused]) {
      const told: unknown[] = [];
      actor.on('situation.dismissed', (event) => told.push(event));
      await sends({ type: 'dismiss' });
      expect([at(), ...told]).toEqual(dismissed);
    }
  });

  it('shows what could not be set again before it leads there (behaviour 10.27.4)', async () => {
    const { sends, at, answer, context, told } = await opening();
    await sends({ type: 'confirm' });
    const opened = { step: '/debtors', ended: [], notes: ['debtor d-1: another user of this console has it'] };
    await answer('open', opened);
    expect([at(), context()['opened'], told]).toEqual(['incomplete', opened, []]);
    await sends({ type: 'leave' });
    expect([at(), told]).toEqual(['opened', [{ type: 'situation.opened', step: '/debtors' }]]);
    const other = await opening();
    await other.sends({ type: 'confirm' });
    await other.answer('open', opened);
    await other.sends({ type: 'dismiss' });
    expect(other.told).toEqual([{ type: 'situation.opened', step: '/debtors' }]);
  });

  it('shows which companies have ended before it leads there (behaviour 10.27.7)', async () => {
    const { sends, at, answer, told } = await opening();
    await sends({ type: 'confirm' });
    await answer('open', { step: '/', ended: [alder], notes: [] });
    expect([at(), told]).toEqual(['incomplete', []]);
  });

  it('that is refused shows why, until another file is chosen (behaviour 10.27.3)', async () => {
    const { sends, at, refuse, context, told } = await opening();
    await sends({ type: 'confirm' });
    await refuse('open', failure);
    expect([at(), context()['failure'], told]).toEqual(['refused', failure, [{ type: 'facts.changed' }]]);
    await sends(choice);
    expect([at(), context()['failure']]).toEqual(['checking', null]);
  });
});

describeWatched(labMachine, labFormMachine, labRowsMachine, emptyingMachine, situationFileMachine);
