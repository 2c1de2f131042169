import { describe, expect, it } from 'vitest';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { workspaceMachine } from '#machines/onboarding/workspace.machine.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { flawsOf } from '#tests/support/pathsFaults.ts';
import { unsaid } from '#tests/support/pathsRules.ts';

const owner = { organisationId: 'organisation-1', companyId: 'company-1' };
const record = { kind: 'company', id: 'company-1' } as const;
const place = ({ actor }: Pick<ReturnType<typeof open>, 'actor'>) => actor.getSnapshot().value;
const open = () => live(workspaceMachine);

const nothing = { owner: null, record: null, organisationId: '', signingKey: '', errors: [], failure: null };

describe('the workspace machine', () => {
  it('has its name, no faults and a text for each state and event', () => {
    expect(workspaceMachine.id).toBe('workspace');
    expect(flawsOf(workspaceMachine)).toEqual([]);
    expect(unsaid(workspaceMachine)).toEqual([]);
  });

  it('starts empty, and keeps nothing after a dismissal', () => {
    const workspace = open();
    const kept = () => workspace.actor.getSnapshot().context;
    expect(kept()).toEqual(nothing);
    for (const event of [
      { type: 'record.remove', record },
      { type: 'key.reveal', organisationId: 'organisation-1' },
      { type: 'existing.open' },
    ] as const) {
      workspace.actor.send(event);
      workspace.actor.send({ type: 'dismiss' });
      expect([place(workspace), kept()], event.type).toEqual(['resting', nothing]);
    }
  });

  it.each([
    [0, 'entering'],
    [1, 'resting'],
  ])('with a list of %i that is opened is %s, and rests when the list is closed', (companies, state) => {
    const workspace = open();
    workspace.actor.send({ type: 'list.open', companies });
    expect(place(workspace)).toBe(state);
    workspace.actor.send({ type: 'list.close' });
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'resting', context: nothing });
  });

  it('no longer shows the signing key once the list is closed', async () => {
    const workspace = open();
    workspace.actor.send({ type: 'key.reveal', organisationId: 'organisation-1' });
    workspace.actor.send({ type: 'confirm' });
    await workspace.answer('revealKey', 'the key');
    expect(place(workspace)).toBe('revealed');
    workspace.actor.send({ type: 'list.close' });
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'resting', context: nothing });
  });

  it('clears the errors of an entered company on a dismissal', () => {
    const workspace = open();
    workspace.actor.send({ type: 'existing.open' });
    workspace.actor.send({ type: 'existing.submit', ...owner, organisationId: 'not an id', signingKey: '' });
    expect(workspace.actor.getSnapshot().context.errors).toHaveLength(2);
    workspace.actor.send({ type: 'dismiss' });
    expect(workspace.actor.getSnapshot().context).toEqual(nothing);
  });

  it('makes another company current, or shows why not', async () => {
    const workspace = open();
    workspace.actor.send({ type: 'company.use', owner });
    expect([place(workspace), workspace.calls[0]?.input]).toEqual(['using', owner]);
    await workspace.answer('use', undefined);
    // The second press of a double click does nothing.
    workspace.actor.send({ type: 'company.use', owner });
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'used', context: nothing });
    await workspace.pass(doubleClick);
    expect(place(workspace)).toBe('resting');
    workspace.actor.send({ type: 'company.use', owner });
    await workspace.refuse('use', failure);
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'resting', context: { failure } });
  });

  it('removes a record only after a confirmation', async () => {
    const workspace = open();
    workspace.actor.send({ type: 'record.remove', record });
    expect(place(workspace)).toBe('askingRemoval');
    workspace.actor.send({ type: 'dismiss' });
    expect([place(workspace), workspace.calls]).toEqual(['resting', []]);
    workspace.actor.send({ type: 'record.remove', record });
    workspace.actor.send({ type: 'confirm' });
    expect([place(workspace), workspace.calls[0]?.input]).toEqual(['removing', record]);
    await workspace.refuse('remove', failure);
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'resting', context: { failure } });
    workspace.actor.send({ type: 'record.remove', record });
    workspace.actor.send({ type: 'confirm' });
    await workspace.answer('remove', undefined);
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'resting', context: { failure: null, record: null } });
  });

  it.each(['is hidden', 'is forgotten after a minute'])('shows a requested signing key, which %s', async (how) => {
    const workspace = open();
    workspace.actor.send({ type: 'key.reveal', organisationId: 'organisation-1' });
    expect(place(workspace)).toBe('askingKey');
    workspace.actor.send({ type: 'dismiss' });
    expect(place(workspace)).toBe('resting');
    workspace.actor.send({ type: 'key.reveal', organisationId: 'organisation-1' });
    workspace.actor.send({ type: 'confirm' });
    expect(workspace.pending('revealKey').input).toBe('organisation-1');
    await workspace.answer('revealKey', 'the-key');
    const shown = { value: 'revealed', context: { signingKey: 'the-key' } };
    expect(workspace.actor.getSnapshot()).toMatchObject(shown);
    expect(workspace.pending('confirmKey').input).toBe('organisation-1');
    if (how === 'is hidden') await workspace.answer('confirmKey', undefined);
    else await workspace.refuse('confirmKey', failure);
    expect(workspace.actor.getSnapshot()).toMatchObject(shown);
    if (how === 'is hidden') workspace.actor.send({ type: 'key.hide' });
    else await workspace.pass(60_000);
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'resting', context: { signingKey: '' } });
  });

  it('restores the previous signing key of an organisation, or shows why not', async () => {
    const workspace = open();
    workspace.actor.send({ type: 'key.restore', organisationId: 'organisation-1' });
    expect([place(workspace), workspace.calls[0]?.input]).toEqual(['restoringKey', 'organisation-1']);
    await workspace.refuse('restoreKey', failure);
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'resting', context: { failure } });
    workspace.actor.send({ type: 'key.restore', organisationId: 'organisation-1' });
    await workspace.answer('restoreKey', undefined);
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'resting', context: nothing });
  });

  it('shows why a signing key is not shown', async () => {
    const workspace = open();
    workspace.actor.send({ type: 'key.reveal', organisationId: 'organisation-1' });
    workspace.actor.send({ type: 'confirm' });
    await workspace.refuse('revealKey', failure);
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'resting', context: { failure, signingKey: '' } });
  });

  it('enters an existing company, keeps the form when refused, and stores no key', async () => {
    const workspace = open();
    const entered = { ...owner, signingKey: 'typed-key' };
    workspace.actor.send({ type: 'existing.open' });
    workspace.actor.send({ type: 'existing.submit', ...entered, organisationId: 'not an id', signingKey: ' ' });
    expect(place(workspace)).toBe('entering');
    expect(workspace.actor.getSnapshot().context.errors.map(({ id }) => id)).toEqual(['organisationId', 'signingKey']);
    expect(workspace.calls).toEqual([]);
    workspace.actor.send({ type: 'existing.submit', ...entered });
    expect(workspace.calls[0]?.input).toMatchObject(entered);
    await workspace.refuse('enter', failure);
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'entering', context: { failure } });
    workspace.actor.send({ type: 'existing.submit', ...entered });
    expect(workspace.actor.getSnapshot().context).toMatchObject({ failure: null, errors: [] });
    expect(JSON.stringify(workspace.actor.getSnapshot().context)).not.toContain('typed-key');
    await workspace.answer('enter', undefined);
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'resting', context: nothing });
  });
});

describe('the facts after a workspace action', () => {
  const doing = {
    use: [{ type: 'company.use', owner }],
    remove: [{ type: 'record.remove', record }, { type: 'confirm' }],
    enter: [{ type: 'existing.open' }, { type: 'existing.submit', ...owner, signingKey: 'typed-key' }],
    revealKey: [{ type: 'key.reveal', organisationId: 'organisation-1' }, { type: 'confirm' }],
    restoreKey: [{ type: 'key.restore', organisationId: 'organisation-1' }],
  } as const;

  /** The events emitted after this effect. */
  async function told(port: keyof typeof doing, isTaken: boolean) {
    const workspace = open();
    const all: unknown[] = [];
    workspace.actor.on('*', (each) => all.push(each));
    for (const event of doing[port]) workspace.actor.send(event);
    expect(all).toEqual([]);
    await (isTaken ? workspace.answer(port, 'the-key') : workspace.refuse(port, failure));
    return all;
  }

  it.each(['use', 'remove', 'enter', 'restoreKey'] as const)(
    'are read again after %s, whether it succeeds or fails',
    async (port) => {
      expect(await told(port, true)).toEqual([{ type: 'facts.changed' }]);
      expect(await told(port, false)).toEqual([{ type: 'facts.changed' }]);
    },
  );

  it('are not read again after a signing key was shown', async () => {
    expect(await told('revealKey', true)).toEqual([]);
    expect(await told('revealKey', false)).toEqual([]);
  });
});

describe('a failure in the workspace', () => {
  it.each([
    { type: 'company.use', owner },
    { type: 'record.remove', record },
    { type: 'key.reveal', organisationId: 'organisation-1' },
    { type: 'key.restore', organisationId: 'organisation-1' },
    { type: 'existing.open' },
  ] as const)('is cleared by the next action: $type', async (event) => {
    const workspace = open();
    workspace.actor.send({ type: 'company.use', owner });
    await workspace.refuse('use', failure);
    workspace.actor.send(event);
    expect(workspace.actor.getSnapshot().context.failure).toBeNull();
  });
});
