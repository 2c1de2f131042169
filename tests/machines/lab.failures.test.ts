import { describe, expect, it } from 'vitest';
import type { AnyStateMachine, EventObject } from 'xstate';
import { faultOnArrowMachine } from '#machines/lab/faultOnArrow.machine.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { programsMachine } from '#machines/lab/programs.machine.ts';
import { faultForm } from '#rules/labForms.ts';
import { failure } from '#tests/support/fixtures.ts';
import { run } from '#tests/support/recordedRuns.ts';
import { repeatOf } from '#tests/support/timelineEntry.ts';

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
const retry = { type: 'retry' };
const submit = { type: 'form.submit' };
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
  'sending a form': { machine: labFormMachine, input: faultForm, events: [submit], fails: 'submit', again: [submit] },
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
    await sends({ type: 'reading.stale' });
    await refuse('readPrograms', failure);
    expect([at(), context()['failure'], context()['tokens']]).toEqual([{ shown: 'refused' }, failure, tokens.tokens]);
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
