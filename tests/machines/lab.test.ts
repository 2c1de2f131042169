import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import type { LabStanding } from '#contract/labCalls.ts';
import type { KeptRule } from '#contract/labShapes.ts';
import { emptyingMachine } from '#machines/lab/emptying.machine.ts';
import { labMachine, type LabAct } from '#machines/lab/lab.machine.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { labRowsMachine } from '#machines/lab/labRows.machine.ts';
import { programsMachine } from '#machines/lab/programs.machine.ts';
import { faultForm } from '#rules/labForms.ts';
import { live, settled } from '#tests/support/live.ts';
import { failure } from '#tests/support/material.ts';
import { flawsOf, missedBy } from '#tests/support/pathsFaults.ts';
import { nowhere, recordInto, type Walk } from '#tests/support/pathsReplay.ts';
import { unsaid } from '#tests/support/pathsRules.ts';

const rule: KeptRule = {
  ...{ ruleId: 'rule-1', on: 'call', of: 'createBatch', fault: { kind: 'answerLost' } },
  ...{ times: 1, probability: 1, seed: 1, asked: 0, happened: 0 },
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

const walks = new Map<AnyStateMachine, Walk>();

/** Runs a machine and records what it enters and takes. */
function run<M extends AnyStateMachine>(machine: M, input?: unknown) {
  const walk = walks.get(machine) ?? nowhere();
  walks.set(machine, walk);
  const running = live(machine, { inspect: recordInto(walk), ...(input !== undefined && { input: input as never }) }); // the machine's own
  const now = () => running.actor.getSnapshot() as AnyMachineSnapshot; // of any of the machines
  const note = () => now()._nodes.forEach(({ id }) => walk.entered.add(id));
  running.actor.subscribe(note);
  note();
  return {
    ...running,
    at: () => now().value as unknown,
    context: () => now().context as Record<string, unknown>, // of any of the machines
    can: (event: EventObject) => now().can(event),
    sends: async (event: EventObject) => {
      running.actor.send(event as never); // one of the machine's
      await settled();
    },
  };
}

describe('what the lab does', () => {
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

  it.each(acts)('is changed by %o where that is possible, and read again', async (act, possible, impossible) => {
    const lab = await known(possible);
    expect(lab.at()).toBe('known');
    await lab.sends(act);
    expect([lab.at(), lab.pending('change').input]).toEqual(['acting', act]);
    await lab.refuse('change', failure);
    expect([lab.at(), lab.context()['failure'], lab.context()['lab']]).toEqual(['refused', failure, possible]);
    await lab.sends(act);
    await lab.answer('change');
    expect(lab.at()).toBe('refreshing');
    await lab.sends(act);
    expect(lab.at(), 'before it is read again').toBe('acting');
    await lab.answer('change');
    await lab.answer('readLab', nothing);
    expect(lab.context()).toMatchObject({ lab: nothing, failure: null });
    if (impossible) expect((await known(impossible)).can(act)).toBe(false);
  });

  it('is not stopped where nothing is on, and is where one thing is', async () => {
    const can = async (standing: LabStanding) => (await known(standing)).can({ type: 'lab.stop' });
    expect(await can(nothing)).toBe(false);
    expect(await can({ ...nothing, clock: everything.clock })).toBe(true);
    expect(await can({ ...nothing, rules: [rule] })).toBe(true);
    expect((await known(everything)).can({ type: 'fault.remove', ruleId: 'another' } as LabAct)).toBe(false);
  });

  it('is read again with each news of it, also after a failure', async () => {
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
    expect(lab.at()).toBe('refreshing');
    await lab.answer('readLab', everything);
    expect(lab.context()['lab']).toEqual(everything);
    await lab.sends({ type: 'facts.stale' });
    await lab.refuse('readLab', failure);
    expect(lab.at()).toBe('unread');
    for (const type of ['retry', 'facts.stale']) {
      const refused = await known(everything);
      await refused.sends({ type: 'lab.stop' });
      await refused.refuse('change', failure);
      await refused.sends({ type });
      expect(refused.at()).toBe('refreshing');
    }
  });

  it('is not there at another service', async () => {
    const lab = run(labMachine);
    await lab.refuse('readLab', absent);
    expect([lab.at(), lab.context()['failure']]).toEqual(['absent', absent]);
  });
});

describe('a form of the lab', () => {
  const change = (field: string, value: string) => ({ type: 'form.change', field, value });
  const form = () => run(labFormMachine, faultForm);

  it('sends what is valid, and can be sent again with another value', async () => {
    const { sends, at, answer, pending, context, actor } = form();
    let done = 0;
    actor.on('done', () => (done += 1));
    await sends({ type: 'form.submit' });
    expect(pending('submit').input).toEqual(faultForm.first);
    await answer('submit', rule);
    expect([at(), context()['result'], done]).toEqual(['taken', rule, 1]);
    await sends({ type: 'form.submit' });
    await answer('submit', rule);
    await sends(change('probability', '0.5'));
    expect(at()).toBe('editing');
    await sends({ type: 'form.submit' });
    expect(pending('submit').input).toMatchObject({ probability: '0.5' });
  });

  it('sends nothing in error, and checks what is in error again at each change', async () => {
    const { sends, at, context, calls, answer } = form();
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

  it('says why it was refused, and keeps what was entered', async () => {
    const { sends, at, refuse, context } = form();
    for (const next of [{ type: 'form.submit' }, change('of', 'batch')]) {
      await sends({ type: 'form.submit' });
      await refuse('submit', failure);
      expect([at(), context()['failure']]).toEqual(['refused', failure]);
      await sends(next);
      if (next.type === 'form.submit') await refuse('submit', failure);
    }
    expect(context()['values']).toMatchObject({ of: 'batch' });
    const other = form();
    await other.sends({ type: 'form.submit' });
    await other.answer('submit', rule);
    await other.sends(change('times', ''));
    await other.sends(change('often', 'times'));
    await other.sends({ type: 'form.submit' });
    expect(other.at()).toBe('invalid');
  });
});

describe('a list of the lab', () => {
  const rows = [
    { id: 'a', may: ['step'] },
    { id: 'b', may: [] },
  ];
  const step = (id: string) => ({ type: 'row.act', id, act: 'step' });
  const listed = async () => {
    const list = run(labRowsMachine);
    await list.answer('readRows', rows);
    return list;
  };

  it('does with a row what is possible with it, and is read again', async () => {
    const { sends, at, can, answer, pending, context } = await listed();
    expect([can(step('a')), can(step('b')), can(step('c')), can({ ...step('a'), act: 'other' } as EventObject)]).toEqual([true, false, false, false]); // prettier-ignore
    await sends(step('b'));
    expect(at()).toBe('listing');
    await sends(step('a'));
    expect(pending('act').input).toEqual({ id: 'a', act: 'step' });
    await answer('act', 'told');
    expect([at(), context()['result']]).toEqual(['refreshing', 'told']);
    await sends(step('a'));
    expect([at(), context()['result']]).toEqual(['acting', null]);
    await answer('act', 'told');
    await answer('readRows', []);
    expect(context()).toMatchObject({ rows: [], failure: null });
  });

  it('says what failed, and keeps its rows', async () => {
    const { sends, at, refuse, context, answer } = await listed();
    await sends(step('a'));
    await refuse('act', failure);
    expect([at(), context()['rows'], context()['failure']]).toEqual(['refused', rows, failure]);
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
    expect(at()).toBe('refreshing');
  });
});

describe('emptying the sandbox', () => {
  it('is asked about first, and told when it may have happened', async () => {
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

describe('the tokens of programs', () => {
  const token = (tokenId: string, expired = false) => ({
    ...{ tokenId, name: 'Nightly', beginning: 'pocp_abcd', madeAt: '2026-01-31T09:00:00.000Z', usedAt: '' },
    ...{ expiresAt: '2026-03-02T09:00:00.000Z', expired },
  });
  const listed = async (tokens = [token('a')]) => {
    const panel = run(programsMachine);
    await panel.answer('readPrograms', { recorded: true, tokens });
    return panel;
  };
  const change = (name: string) => ({ type: 'name.change', name });
  const ask = (tokenId: string) => ({ type: 'token.ask', tokenId });
  const made = { token: 'pocp_secret', made: token('b') };

  it('are made with a name, shown once, and hidden on demand or when they are revoked', async () => {
    const { sends, at, context, can, pending, answer, calls } = await listed();
    expect(can({ type: 'token.hide' })).toBe(false);
    await sends({ type: 'token.make' });
    expect([at(), (context()['errors'] as unknown[]).length, calls.length]).toEqual(['listing', 1, 1]);
    await sends(change('  Nightly '));
    expect(context()['errors']).toEqual([]);
    const make = async () => {
      await sends(change('  Nightly '));
      await sends({ type: 'token.make' });
      expect(pending('make').input).toBe('Nightly');
      await answer('make', made);
      expect([at(), context()['made'], context()['name']]).toEqual(['refreshing', made, '']);
    };
    await make();
    await sends({ type: 'token.hide' });
    expect(context()['made']).toBeNull();
    await make();
    await sends(change(''));
    await sends({ type: 'token.make' });
    expect(at()).toBe('listing');
    await sends({ type: 'facts.stale' });
    await sends({ type: 'facts.stale' });
    await answer('readPrograms', { recorded: false, tokens: [token('a'), token('b')] });
    await sends({ type: 'token.hide' });
    await make();
    await answer('readPrograms', { recorded: false, tokens: [token('a'), token('b')] });
    for (const [tokenId, shown] of [
      ['a', made],
      ['b', null],
    ] as const) {
      // prettier-ignore
      await sends(ask(tokenId));
      await sends({ type: 'confirm' });
      expect(pending('revoke').input).toBe(tokenId);
      await answer('revoke');
      expect([at(), context()['made'], context()['asked']]).toEqual(['refreshing', shown, null]);
      await answer('readPrograms', { recorded: true, tokens: [token('a'), token('b')] });
    }
  });

  it('are ten at most that hold, and revoked only once that is confirmed', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => token(String(index)));
    const { sends, at, can, context, calls } = await listed(ten);
    await sends(change('Another'));
    await sends({ type: 'token.make' });
    expect([at(), JSON.stringify(context()['errors'])]).toEqual(['listing', expect.stringContaining('10 tokens')]);
    expect(can(ask('none'))).toBe(false);
    await sends(ask('3'));
    await sends({ type: 'dismiss' });
    expect([at(), calls.length]).toEqual(['listing', 1]);
    const room = await listed([...ten.slice(1), token('x', true)]);
    await room.sends(change('Another'));
    await room.sends({ type: 'token.make' });
    expect(room.at()).toBe('making');
    const refreshing = await listed();
    await refreshing.sends({ type: 'facts.stale' });
    await refreshing.sends(ask('a'));
    expect(refreshing.at()).toBe('asking');
    const again = await listed();
    await again.sends({ type: 'facts.stale' });
    await again.sends(change('Another'));
    await again.sends({ type: 'token.make' });
    expect(again.at()).toBe('making');
  });

  it('say what failed, and stay as they were', async () => {
    const unread = run(programsMachine);
    await unread.refuse('readPrograms', failure);
    expect([unread.at(), unread.context()['failure']]).toEqual(['unread', failure]);
    await unread.sends({ type: 'retry' });
    await unread.refuse('readPrograms', failure);
    await unread.sends({ type: 'facts.stale' });
    await unread.answer('readPrograms', { recorded: true, tokens: [] });
    expect(unread.context()['failure']).toBeNull();

    const refused = async () => {
      const panel = await listed();
      await panel.sends(change('Nightly'));
      await panel.sends({ type: 'token.make' });
      await panel.refuse('make', failure);
      expect([panel.at(), panel.context()['failure'], panel.context()['name']]).toEqual([
        'refused',
        failure,
        'Nightly',
      ]);
      return panel;
    };
    for (const [event, to] of [
      [{ type: 'retry' }, 'refreshing'],
      [{ type: 'facts.stale' }, 'refreshing'],
      [{ type: 'token.make' }, 'making'],
      [ask('a'), 'asking'],
      [change('Other'), 'refused'],
    ] as [EventObject, string][]) {
      const panel = await refused();
      await panel.sends(event);
      expect(panel.at()).toBe(to);
    }
    const nameless = await refused();
    await nameless.sends(change(''));
    await nameless.sends({ type: 'token.make' });
    expect(nameless.at()).toBe('listing');
    const shown = await listed();
    await shown.sends(change('Nightly'));
    await shown.sends({ type: 'token.make' });
    await shown.answer('make', made);
    await shown.refuse('readPrograms', failure);
    expect([shown.at(), shown.context()['made']]).toEqual(['refused', made]);
    await shown.sends({ type: 'token.hide' });
    expect(shown.context()['made']).toBeNull();
    await shown.sends(ask('a'));
    await shown.sends({ type: 'confirm' });
    await shown.refuse('revoke', failure);
    expect(shown.at()).toBe('refused');
  });
});

describe.each(
  [labMachine, labFormMachine, labRowsMachine, emptyingMachine, programsMachine].map(
    (each) => [each.id, each] as const,
  ),
)('the chart of %s', (_, machine) => {
  it('has no flaw, is told in words, and every state and transition of it is tested above', () => {
    expect(flawsOf(machine)).toEqual([]);
    expect(unsaid(machine)).toEqual([]);
    expect(missedBy(machine, walks.get(machine) ?? nowhere())).toEqual([]);
  });
});
