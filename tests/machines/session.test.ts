import { describe, expect, it } from 'vitest';
import { sessionMachine } from '#machines/lab/session.machine.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const file = new File(['{}'], 'calls.har');
const open = { type: 'file.open', file };
const close = { type: 'session.close' };
const read = { name: 'calls.har', entries: [], left: [] };

describe('a session from a file', () => {
  it('is shown in place of the timeline until it is closed, and another file replaces it (behaviour 10.25.5)', async () => {
    const { sends, at, answer, context, pending } = run(sessionMachine, { isSandbox: true });
    await sends(open);
    expect([at(), pending('read').input]).toEqual(['reading', file]);
    await answer('read', read);
    expect([at(), context()['session']]).toEqual(['shown', read]);
    await sends(open);
    await answer('read', { ...read, name: 'others.har' });
    expect(context()['session']).toMatchObject({ name: 'others.har' });
    await sends(close);
    expect([at(), context()['session']]).toEqual(['closed', null]);
  });

  it('is refused with the reason of the reader, also while one is shown (behaviour 10.25.5)', async () => {
    const { sends, at, answer, refuse, context } = run(sessionMachine, { isSandbox: true });
    await sends(open);
    await answer('read', read);
    await sends(open);
    await refuse('read', { ...failure, detail: 'It is not JSON.' });
    expect([at(), context()['wrong']]).toEqual(['refused', 'It is not JSON.']);
    await sends(open);
    await refuse('read', failure);
    expect(context()['wrong']).toBe(failure.detail ?? failure.title);
    await sends(close);
    expect([at(), context()['wrong']]).toEqual(['closed', '']);
  });

  it('is refused where the service is live, without reading it (behaviour 10.25.5)', async () => {
    const { sends, at, context, calls } = run(sessionMachine, { isSandbox: false });
    await sends(open);
    await sends(open);
    expect([at(), calls]).toEqual(['refused', []]);
    expect(context()['wrong']).toMatch(/^This console uses a live service/);
  });
});

describeWatched(sessionMachine);
