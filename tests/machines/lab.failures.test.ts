import { describe, expect, it } from 'vitest';
import type { AnyStateMachine, EventObject } from 'xstate';
import { emptyingMachine } from '#machines/lab/emptying.machine.ts';
import { faultOnArrowMachine } from '#machines/lab/faultOnArrow.machine.ts';
import { labMachine } from '#machines/lab/lab.machine.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { labRowsMachine } from '#machines/lab/labRows.machine.ts';
import { programsMachine } from '#machines/lab/programs.machine.ts';
import { sendAgainMachine } from '#machines/lab/sendAgain.machine.ts';
import { verdictMachine } from '#machines/lab/verdict.machine.ts';
import { faultForm } from '#rules/labForms.ts';
import { failure } from '#tests/support/fixtures.ts';
import { run } from '#tests/support/recordedRuns.ts';

const lab = {
  ...{ rules: [], readAt: 0, receiver: { url: null } },
  clock: { now: '2026-01-31T09:00:00.000Z', offset: 0, still: false, pending: 0 },
};
const token = {
  ...{ tokenId: 'a', name: 'Nightly', beginning: 'pocp_abcd', madeAt: '2026-01-31T09:00:00.000Z', usedAt: '' },
  ...{ expiresAt: '2026-03-02T09:00:00.000Z', expired: false },
};
const tokens = { recorded: true, tokens: [{ ...token, token: 'pocp_secret' }] };
const verdict = {
  ...{ connection: null, running: null, stopped: '', blocked: '', webhookAt: '' },
  report: { failed: [{ id: 'lost-response', title: 'The response to the batch is lost', calls: [] }] },
};
const rows = [{ id: 'a', may: ['step'] }];
const retry = { type: 'retry' };
const hold = { type: 'clock.hold' };
const step = { type: 'row.act', id: 'a', act: 'step' };
const scenario = { type: 'scenario.run', scenario: 'lost-response' };
const submit = { type: 'form.submit' };
const repeat = { type: 'call.repeat', entryId: 'entry-1', key: 'same', reads: false };
const rule = { on: 'call', of: 'createBatch', fault: { kind: 'answerLost' }, times: 1 };
const faulted = { type: 'fault.run', rule, entryId: 'entry-1', key: 'same' };

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
    ...{ machine: programsMachine, reads: ['readPrograms', { ...tokens, tokens: [] }], fails: 'make' },
    ...{ events: [{ type: 'name.change', name: 'Nightly' }, { type: 'token.make' }] as EventObject[] },
    again: [{ type: 'token.make' }],
  },
  'revoking a token': {
    ...{ machine: programsMachine, reads: ['readPrograms', tokens], fails: 'revoke' },
    ...{ events: [{ type: 'token.ask', tokenId: 'a' }, { type: 'confirm' }] as EventObject[] },
    again: [{ type: 'token.ask', tokenId: 'a' }, { type: 'confirm' }] as EventObject[],
  },
  'hiding a token after another failure': {
    ...{ machine: programsMachine, reads: ['readPrograms', tokens], fails: 'revoke' },
    ...{ events: [{ type: 'token.ask', tokenId: 'a' }, { type: 'confirm' }] as EventObject[] },
    again: [{ type: 'token.hide' }],
  },
  'reading the verdict': { machine: verdictMachine, events: [], fails: 'readVerdict', again: [retry] },
  'running a scenario': {
    ...{ machine: verdictMachine, reads: ['readVerdict', verdict], fails: 'runScenario' },
    ...{ events: [scenario], again: [scenario] },
  },
  'emptying the sandbox': {
    ...{ machine: emptyingMachine, fails: 'empty' },
    ...{ events: [{ type: 'empty.ask' }, { type: 'confirm' }], again: [{ type: 'empty.ask' }, { type: 'confirm' }] },
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
