import { describe, expect, it } from 'vitest';
import type { AnyStateMachine, EventObject } from 'xstate';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { emptyingMachine } from '#machines/lab/emptying.machine.ts';
import { faultOnArrowMachine } from '#machines/lab/faultOnArrow.machine.ts';
import { isOn, labMachine } from '#machines/lab/lab.machine.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { labRowsMachine } from '#machines/lab/labRows.machine.ts';
import { programsMachine } from '#machines/lab/programs.machine.ts';
import { repeatOf } from '#tests/support/timelineEntry.ts';
import { sendAgainMachine } from '#machines/lab/sendAgain.machine.ts';
import { sessionMachine } from '#machines/lab/session.machine.ts';
import { situationFileMachine } from '#machines/lab/situationFile.machine.ts';
import { verdictMachine } from '#machines/lab/verdict.machine.ts';
import { faultForm } from '#rules/labForms.ts';
import { failure } from '#tests/support/fixtures.ts';
import { run } from '#tests/support/recordedRuns.ts';

const lab = {
  rules: [],
  readAt: 0,
  receiver: { url: null },
  clock: { now: '2026-01-31T09:00:00.000Z', offset: 0, still: false, pending: 0 },
};
const token = {
  tokenId: 'a',
  name: 'Nightly',
  beginning: 'pocp_abcd',
  madeAt: '2026-01-31T09:00:00.000Z',
  usedAt: '',
  expiresAt: '2026-03-02T09:00:00.000Z',
  expired: false,
};
const tokens = { recorded: true, tokens: [{ ...token, token: 'pocp_secret' }] };
const rows = [{ id: 'a', may: ['step'] }];
const retry = { type: 'retry' };
const hold = { type: 'clock.hold' };
const step = { type: 'row.act', id: 'a', act: 'step' };
const submit = { type: 'form.submit' };
const repeat = { type: 'call.repeat', repeat: repeatOf('same') };
const rule = { on: 'call', of: 'createBatch', fault: { kind: 'answerLost' }, times: 1 };
const faulted = { type: 'fault.run', rule, repeat: repeatOf('same') };

/** What is read first, what then fails after the events, and the events by which it is begun again. */
interface Attempt {
  machine: AnyStateMachine;
  input?: unknown;
  reads?: readonly [port: string, answer: unknown];
  events: readonly EventObject[];
  fails: string;
  again: readonly EventObject[];
}

const attempts: Readonly<Record<string, Attempt>> = {
  'reading the lab': { machine: labMachine, events: [], fails: 'readLab', again: [retry] },
  'changing the lab': { machine: labMachine, reads: ['readLab', lab], events: [hold], fails: 'change', again: [hold] },
  'reading rows': { machine: labRowsMachine, events: [], fails: 'readRows', again: [retry] },
  'an action on a row': { machine: labRowsMachine, reads: ['readRows', rows], events: [step], fails: 'act', again: [step] }, // prettier-ignore
  'reading the tokens': { machine: programsMachine, events: [], fails: 'readPrograms', again: [retry] },
  'creating a token': {
    machine: programsMachine,
    reads: ['readPrograms', { ...tokens, tokens: [] }],
    fails: 'make',
    events: [{ type: 'name.change', name: 'Nightly' }, { type: 'token.make' }] as EventObject[],
    again: [{ type: 'token.make' }],
  },
  'revoking a token': {
    machine: programsMachine,
    reads: ['readPrograms', tokens],
    fails: 'revoke',
    events: [{ type: 'token.ask', tokenId: 'a' }, { type: 'confirm' }] as EventObject[],
    again: [{ type: 'token.ask', tokenId: 'a' }, { type: 'confirm' }] as EventObject[],
  },
  'hiding a token after another failure': {
    machine: programsMachine,
    reads: ['readPrograms', tokens],
    fails: 'revoke',
    events: [{ type: 'token.ask', tokenId: 'a' }, { type: 'confirm' }] as EventObject[],
    again: [{ type: 'token.hide' }],
  },
  'reading the verdict': { machine: verdictMachine, events: [], fails: 'readVerdict', again: [retry] },
  'emptying the sandbox': {
    machine: emptyingMachine,
    fails: 'empty',
    events: [{ type: 'empty.ask' }, { type: 'confirm' }],
    again: [{ type: 'empty.ask' }, { type: 'confirm' }],
  },
  'sending a form': { machine: labFormMachine, input: faultForm, events: [submit], fails: 'submit', again: [submit] },
  'sending a call again': { machine: sendAgainMachine, events: [repeat], fails: 'repeat', again: [repeat] },
};

describe('an attempt in the fault lab', () => {
  it.each(Object.entries(attempts))(
    'shows why it failed, and shows that no longer while it is tried again: %s',
    async (_, { machine, input, reads, events, fails, again }) => {
      const { sends, answer, refuse, context, actor } = run(machine, input);
      if (reads) await answer(...reads);
      for (const event of events) await sends(event);
      await refuse(fails, failure);
      expect(context()['failure']).toEqual(failure);
      for (const event of again) await sends(event);
      expect([actor.getSnapshot().hasTag('busy'), context()['failure']]).toEqual([true, null]);
    },
  );

  it('shows neither why a fault’s call failed nor that the fault is still set while it is run again', async () => {
    const { sends, refuse, answer, context } = run(faultOnArrowMachine);
    await sends(faulted);
    await refuse('run', failure);
    await refuse('disarm', failure);
    expect(context()).toMatchObject({ failure, unremoved: failure });
    await sends(retry);
    expect(context()).toMatchObject({ failure, unremoved: null });
    await answer('disarm', true);
    await sends(faulted);
    expect(context()).toMatchObject({ failure: null, unremoved: null });
  });
});

describe('an attempt in the fault lab that goes on', () => {
  it('has the lab take an action again at once after its state could not be read', async () => {
    const { sends, answer, refuse, can, at } = run(labMachine);
    await answer('readLab', { ...lab, receiver: { url: 'http://127.0.0.1:9/' } });
    const remove = { type: 'receiver.remove' };
    await sends(remove);
    await answer('change');
    expect(can(remove)).toBe(false);
    await refuse('readLab', failure);
    expect([at(), can(remove)]).toEqual([{ shown: 'outdated' }, true]);
  });

  it.each(['clock.hold', 'clock.run'])(
    'ignores the opposite of %s as the second press of a double click',
    async (type) => {
      const { sends, answer, pass, can } = run(labMachine);
      const opposite = { type: type === 'clock.hold' ? 'clock.run' : 'clock.hold' };
      const clock = (still: boolean) => ({ ...lab, clock: { ...lab.clock, still } });
      await answer('readLab', clock(type === 'clock.run'));
      await sends({ type });
      await answer('change');
      await answer('readLab', clock(type === 'clock.hold'));
      expect(can(opposite)).toBe(false);
      await pass(doubleClick);
      expect(can(opposite)).toBe(true);
    },
  );

  it('is no fault and no moved clock where nothing was read', () => expect(isOn(null)).toBe(false));

  it('lets another action on the same row be taken at once, and lists what is read anew', async () => {
    const { sends, answer, can, at, context } = run(labRowsMachine);
    await answer('readRows', [{ id: 'a', may: ['step', 'explain'] }]);
    await sends(step);
    await answer('act', 'told');
    expect([can(step), can({ ...step, act: 'explain' } as EventObject)]).toEqual([false, true]);
    const other = run(labRowsMachine);
    await other.answer('readRows', rows);
    await other.sends({ type: 'facts.stale' });
    await other.answer('readRows', []);
    expect([other.at(), other.context()['rows']]).toEqual([{ shown: 'listing' }, []]);
    expect([at(), context()['result']]).toEqual([{ shown: 'refreshing' }, 'told']);
  });

  it('checks the name of a token again only once it was in error', async () => {
    const { sends, answer, context } = run(programsMachine);
    const errors = () => (context()['errors'] as unknown[]).length;
    await answer('readPrograms', { ...tokens, tokens: [] });
    const change = (name: string) => ({ type: 'name.change', name });
    await sends(change(''));
    expect(errors()).toBe(0);
    await sends({ type: 'token.make' });
    await sends(change(' '));
    expect(errors()).toBe(1);
    await sends(change('Nightly'));
    expect(errors()).toBe(0);
  });

  it('says why the tokens could not be read again, and keeps them', async () => {
    const { sends, answer, refuse, at, context } = run(programsMachine);
    await answer('readPrograms', tokens);
    await sends({ type: 'facts.stale' });
    await refuse('readPrograms', failure);
    expect([at(), context()['failure'], context()['tokens']]).toEqual([{ shown: 'refused' }, failure, tokens.tokens]);
  });

  it('reads another file while a session is shown', async () => {
    const { sends, answer, pending } = run(sessionMachine, { isSandbox: true });
    const file = (name: string) => new File(['{}'], name);
    await sends({ type: 'file.open', file: file('one.har') } as EventObject);
    await answer('read', { name: 'one.har', entries: [], left: [] });
    await sends({ type: 'file.open', file: file('two.har') } as EventObject);
    expect((pending('read').input as File).name).toBe('two.har');
  });

  it.each(['confirm', 'dismiss'])('opens the situation of the chosen file, and ends with that: %s', async (type) => {
    const { sends, answer, pending, actor } = run(situationFileMachine);
    const file = new File(['{}'], 'moment.json');
    await sends({ type: 'file.choose', file } as EventObject);
    expect(pending('check').input).toBe(file);
    await answer('check', { savedAt: '2026-01-01T00:00:00Z', opens: [], ends: [] });
    await sends({ type });
    if (type === 'confirm') {
      expect(pending('open').input).toBe(file);
      await answer('open', { step: '/debtors', ended: [], notes: [] });
    }
    expect(actor.getSnapshot().status).toBe('done');
  });

  it('repeats the call with the chosen fault, tells its new entry, and sends no new request unless confirmed', async () => {
    const { sends, answer, pending, at, calls, actor } = run(faultOnArrowMachine);
    const told: unknown[] = [];
    actor.on('sent', (event) => told.push(event));
    await sends({ ...faulted, repeat: repeatOf('new') } as EventObject);
    await sends({ type: 'dismiss' });
    expect([at(), calls]).toEqual(['ready', []]);
    await sends(faulted);
    const { type: _, ...chosen } = faulted;
    expect(pending('run').input).toEqual(chosen);
    await answer('run', { id: '9', succeeded: false });
    expect(told).toEqual([{ type: 'sent', id: '9' }]);
  });
});
