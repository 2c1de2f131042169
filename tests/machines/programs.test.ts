import { describe, expect, it } from 'vitest';
import type { EventObject } from 'xstate';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { programsMachine } from '#machines/lab/programs.machine.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

describe('the tokens for programs', () => {
  const token = (tokenId: string, expired = false) => ({
    tokenId,
    name: 'Nightly',
    beginning: 'pocp_abcd',
    madeAt: '2026-01-31T09:00:00.000Z',
    usedAt: '',
    expiresAt: '2026-03-02T09:00:00.000Z',
    expired,
  });
  const listed = async (tokens = [token('a')]) => {
    const panel = run(programsMachine);
    await panel.answer('readPrograms', { recorded: true, tokens });
    return panel;
  };
  const change = (name: string) => ({ type: 'name.change', name });
  const ask = (tokenId: string) => ({ type: 'token.ask', tokenId });
  const made = { token: 'pocp_secret', made: token('b') };

  it('are created with a name, and shown until they are copied or revoked', async () => {
    const { sends, at, context, can, pending, answer, pass, calls } = await listed();
    expect(can({ type: 'token.hide' })).toBe(false);
    await sends({ type: 'token.make' });
    expect([at(), (context()['errors'] as unknown[]).length, calls.length]).toEqual([{ shown: 'listing' }, 1, 1]);
    await sends(change('  Nightly '));
    expect(context()['errors']).toEqual([]);
    const make = async () => {
      await sends(change('  Nightly '));
      await sends({ type: 'token.make' });
      expect(pending('make').input).toBe('Nightly');
      await answer('make', made);
      expect([at(), context()['made'], context()['name']]).toEqual([{ shown: { made: 'refreshing' } }, made, '']);
    };
    const read = async () => {
      await answer('readPrograms', { recorded: false, tokens: [token('a'), token('b')] });
      await pass(doubleClick);
      expect(at()).toEqual({ shown: 'listing' });
    };
    const copy = async () => {
      await sends({ type: 'token.hide' });
      expect([at(), context()['made'], pending('confirm').input]).toEqual(['confirming', null, 'b']);
      await answer('confirm');
    };
    await make();
    await copy();
    await read();
    await make();
    await read();
    await copy();
    await make();
    await read();
    for (const [tokenId, shown] of [
      ['a', made],
      ['b', null],
    ] as const) {
      // prettier-ignore
      await sends(ask(tokenId));
      await sends({ type: 'confirm' });
      expect(pending('revoke').input).toBe(tokenId);
      await answer('revoke');
      expect([at(), context()['made'], context()['asked']]).toEqual([{ shown: 'refreshing' }, shown, null]);
      await answer('readPrograms', { recorded: true, tokens: [token('a'), token('b')] });
    }
  });

  it('are shown again until the user confirms the copy, also after a lost response', async () => {
    const unconfirmed = { ...token('b'), token: 'pocp_secret' };
    const { sends, at, context, answer, refuse } = await listed([unconfirmed, token('a')]);
    const shown = { token: 'pocp_secret', made: unconfirmed };
    expect(context()['made']).toEqual(shown);
    await sends({ type: 'token.hide' });
    await refuse('confirm', failure);
    await sends({ type: 'retry' });
    await answer('readPrograms', { recorded: true, tokens: [unconfirmed, token('a')] });
    expect([at(), context()['made']]).toEqual([{ shown: 'listing' }, shown]);
    await sends({ type: 'token.hide' });
    await answer('confirm');
    await answer('readPrograms', { recorded: true, tokens: [token('b'), token('a')] });
    expect([at(), context()['made']]).toEqual([{ shown: 'listing' }, null]);
  });

  it('are created once on a double click, without an error (behaviour 10.6.2)', async () => {
    const { sends, at, context, can, answer, pass, calls } = await listed();
    await sends(change('Nightly'));
    await sends({ type: 'token.make' });
    await answer('make', made);
    const pressAgain = async (state: object) => {
      await sends({ type: 'token.make' });
      expect([at(), can({ type: 'token.make' }), context()['errors']]).toEqual([state, false, []]);
    };
    await pressAgain({ shown: { made: 'refreshing' } });
    await sends({ type: 'reading.stale' });
    await pressAgain({ shown: { made: 'refreshing' } });
    await answer('readPrograms', { recorded: true, tokens: [token('a'), token('b')] });
    await pressAgain({ shown: { made: 'turned' } });
    await sends({ type: 'reading.stale' });
    await pressAgain({ shown: { made: 'refreshing' } });
    await answer('readPrograms', { recorded: true, tokens: [token('a'), token('b')] });
    await pass(doubleClick);
    expect([
      at(),
      (context()['tokens'] as unknown[]).length,
      calls.filter(({ port }) => port === 'make'),
    ]).toMatchObject([{ shown: 'listing' }, 2, [{}]]);
  });

  it('can be hidden, revoked and named before and after the list is read again', async () => {
    for (const isRead of [false, true])
      for (const [event, to] of [
        [ask('a'), 'asking'],
        [{ type: 'token.hide' }, 'confirming'],
        [change('Other'), isRead ? { shown: { made: 'turned' } } : { shown: { made: 'refreshing' } }],
      ] as [EventObject, string | object][]) {
        const panel = await listed();
        await panel.sends(change('Nightly'));
        await panel.sends({ type: 'token.make' });
        await panel.answer('make', made);
        if (isRead) await panel.answer('readPrograms', { recorded: true, tokens: [token('a'), token('b')] });
        await panel.sends(event);
        expect(panel.at()).toEqual(to);
      }
    const unread = await listed();
    await unread.sends(change('Nightly'));
    await unread.sends({ type: 'token.make' });
    await unread.answer('make', made);
    await unread.refuse('readPrograms', failure);
    expect(unread.at()).toEqual({ shown: 'refused' });
    await unread.sends({ type: 'retry' });
    await unread.sends({ type: 'token.hide' });
    await unread.answer('confirm');
    await unread.refuse('readPrograms', failure);
    await unread.sends({ type: 'retry' });
    await unread.sends({ type: 'reading.stale' });
    await unread.sends({ type: 'token.make' });
    expect([unread.at(), (unread.context()['errors'] as unknown[]).length]).toEqual([{ shown: 'refreshing' }, 1]);
    await unread.answer('readPrograms', { recorded: true, tokens: [token('a')] });
    expect(unread.at()).toEqual({ shown: 'listing' });
  });

  it('are limited to ten valid ones, and revoked only after a confirmation', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => token(String(index)));
    const { sends, at, can, context, calls } = await listed(ten);
    await sends(change('Another'));
    await sends({ type: 'token.make' });
    expect([at(), JSON.stringify(context()['errors'])]).toEqual([
      { shown: 'listing' },
      expect.stringContaining('10 tokens'),
    ]);
    expect(can(ask('none'))).toBe(false);
    await sends(ask('3'));
    await sends({ type: 'dismiss' });
    expect([at(), calls.length]).toEqual([{ shown: 'listing' }, 1]);
    const room = await listed([...ten.slice(1), token('x', true)]);
    await room.sends(change('Another'));
    await room.sends({ type: 'token.make' });
    expect(room.at()).toBe('making');
    const refreshing = await listed();
    await refreshing.sends({ type: 'reading.stale' });
    await refreshing.sends(ask('a'));
    expect(refreshing.at()).toBe('asking');
    const again = await listed();
    await again.sends({ type: 'reading.stale' });
    await again.sends(change('Another'));
    await again.sends({ type: 'token.make' });
    expect(again.at()).toBe('making');
  });

  it('show a failure and stay unchanged', async () => {
    const unread = run(programsMachine);
    await unread.refuse('readPrograms', failure);
    expect([unread.at(), unread.context()['failure']]).toEqual(['unread', failure]);
    await unread.sends({ type: 'retry' });
    await unread.refuse('readPrograms', failure);
    await unread.sends({ type: 'reading.stale' });
    await unread.answer('readPrograms', { recorded: true, tokens: [] });
    expect(unread.context()).toMatchObject({ failure: null, recorded: true, tokens: [] });
    await unread.sends({ type: 'reading.stale' });
    await unread.answer('readPrograms', { recorded: false, tokens: [token('a')] });
    expect(unread.context()).toMatchObject({ recorded: false, tokens: [token('a')] });

    const refused = async () => {
      const panel = await listed();
      await panel.sends(change('Nightly'));
      await panel.sends({ type: 'token.make' });
      await panel.refuse('make', failure);
      expect([panel.at(), panel.context()['failure'], panel.context()['name']]).toEqual([
        { shown: 'refused' },
        failure,
        'Nightly',
      ]);
      return panel;
    };
    for (const [event, to] of [
      [{ type: 'retry' }, { shown: 'refreshing' }],
      [{ type: 'reading.stale' }, { shown: 'refreshing' }],
      [{ type: 'token.make' }, 'making'],
      [ask('a'), 'asking'],
      [change('Other'), { shown: 'refused' }],
    ] as [EventObject, string | object][]) {
      const panel = await refused();
      await panel.sends(event);
      expect(panel.at()).toEqual(to);
    }
    const nameless = await refused();
    await nameless.sends(change(''));
    await nameless.sends({ type: 'token.make' });
    expect([nameless.at(), nameless.context()['failure']]).toEqual([{ shown: 'listing' }, null]);
    const shown = await listed();
    await shown.sends(change('Nightly'));
    await shown.sends({ type: 'token.make' });
    await shown.answer('make', made);
    await shown.refuse('readPrograms', failure);
    expect([shown.at(), shown.context()['made']]).toEqual([{ shown: 'refused' }, made]);
    await shown.sends({ type: 'token.hide' });
    expect(shown.context()['made']).toBeNull();
    await shown.refuse('confirm', failure);
    expect(shown.at()).toEqual({ shown: 'refused' });
    await shown.sends(ask('a'));
    await shown.sends({ type: 'confirm' });
    await shown.refuse('revoke', failure);
    expect(shown.at()).toEqual({ shown: 'refused' });
  });
});

describeWatched(programsMachine);
