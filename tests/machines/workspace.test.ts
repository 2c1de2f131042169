import { describe, expect, it } from 'vitest';
import { workspaceMachine } from '#machines/onboarding/workspace.machine.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';

const owner = { organisationId: 'organisation-1', companyId: 'company-1' };
const record = { kind: 'company', id: 'company-1' } as const;
const place = ({ actor }: Pick<ReturnType<typeof open>, 'actor'>) => actor.getSnapshot().value;
const open = () => live(workspaceMachine);

const nothing = { owner: null, record: null, organisationId: '', signingKey: '', errors: [], failure: null };

describe('the workspace machine', () => {
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

  it('no longer shows the signing key once the list is closed', async () => {
    const workspace = open();
    workspace.actor.send({ type: 'key.reveal', organisationId: 'organisation-1' });
    workspace.actor.send({ type: 'confirm' });
    await workspace.answer('revealKey', 'the key');
    expect(place(workspace)).toBe('revealed');
    workspace.actor.send({ type: 'list.close' });
    expect(workspace.actor.getSnapshot()).toMatchObject({ value: 'resting', context: nothing });
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
