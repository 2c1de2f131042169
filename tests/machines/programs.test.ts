import { describe, expect, it } from 'vitest';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { programsMachine } from '#machines/lab/programs.machine.ts';
import { failure } from '#tests/support/fixtures.ts';
import { token } from './tools.models.ts';
import { run } from '#tests/support/recordedRuns.ts';

describe('the tokens for programs', () => {
  const listed = async (tokens = [token('a')]) => {
    const panel = run(programsMachine);
    await panel.answer('readPrograms', { recorded: true, tokens });
    return panel;
  };
  const change = (name: string) => ({ type: 'name.change', name });
  const ask = (tokenId: string) => ({ type: 'token.ask', tokenId });
  const made = { token: 'pocp_secret', made: token('b') };

  it('are no longer shown once they are copied or revoked, and stay while another one is', async () => {
    const { sends, at, context, answer, pass } = await listed();
    await sends(change('  Nightly '));
    await sends({ type: 'token.make' });
    await answer('make', made);
    expect([context()['made'], context()['name']]).toEqual([made, '']);
    await answer('readPrograms', { recorded: false, tokens: [token('a'), token('b')] });
    await pass(doubleClick);
    for (const [tokenId, shown] of [
      ['a', made],
      ['b', null],
    ] as const) {
      await sends(ask(tokenId));
      await sends({ type: 'confirm' });
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
    const room = await listed([...ten.slice(1), token('x', { expired: true })]);
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
});
