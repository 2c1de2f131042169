import { describe, expect, it } from 'vitest';
import type { EventObject } from 'xstate';
import { resourceMachine, type ResourceKind } from '#machines/lib/resource.machine.ts';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const stop = { type: 'act', act: 'stop' } as const;
const start = { type: 'act', act: 'start' } as const;
const stale = { type: 'reading.stale' } as const;
const retry = { type: 'retry' } as const;
const choose = (subject: object) => ({ type: 'subject.choose', subject }) as const;
const never = { ...failure, code: 'forbidden' as const };

/** Read at once; may be stopped unless it is said to be still, and is only started after a question. */
const clock: ResourceKind<string> = {
  reads: 'at once',
  permits: ({ act }, known) => act !== 'stop' || known !== 'still',
  asks: ({ act }) => act === 'start',
  changesFacts: ({ act }) => act === 'start',
};
const file: ResourceKind<string> = { reads: 'chosen' };

/** A resource with what it emits. */
function opened(kind: ResourceKind<never>) {
  const resource = run(resourceMachine, kind);
  const emitted: string[] = [];
  for (const type of ['facts.changed', 'acted', 'dismissed'] as const)
    resource.actor.on(type, () => void emitted.push(type));
  return { ...resource, emitted, acts: () => resource.calls.filter(({ port }) => port === 'act').length };
}

/** The same, with a first reading. */
async function shown(kind: ResourceKind<never> = clock) {
  const resource = opened(kind);
  await resource.answer('read', 'runs');
  return resource;
}

describe('a resource that is read at once', () => {
  it('is shown when its reading arrives, and read again on news', async () => {
    const { at, answer, sends, context } = opened(clock);
    expect(at()).toEqual({ known: 'unknown', doing: 'reading' });
    await answer('read', 'runs');
    expect(at()).toEqual({ known: 'shown', doing: 'idle' });
    await sends(stale);
    expect(at()).toEqual({ known: 'shown', doing: 'reading' });
    expect(context()).toMatchObject({ known: 'runs' });
    await answer('read', 'still');
    expect(context()).toMatchObject({ known: 'still', unread: null });
  });

  it('is read once more after a reading during which there was news, and never starved by it', async () => {
    const { answer, sends, at, calls } = await shown();
    await sends(stale);
    await sends(stale);
    await sends(stale);
    expect(calls).toHaveLength(2);
    await answer('read', 'older');
    expect(at()).toMatchObject({ doing: 'reading' });
    await answer('read', 'newer');
    expect(at()).toMatchObject({ doing: 'idle' });
    expect(calls).toHaveLength(3);
  });

  it('keeps what is shown when a further reading fails, with the reason until one succeeds (behaviour 10.2.5)', async () => {
    const { refuse, answer, sends, at, context } = await shown();
    await sends(stale);
    await refuse('read', failure);
    expect(at()).toEqual({ known: 'shown', doing: 'idle' });
    expect(context()).toMatchObject({ known: 'runs', unread: failure });
    await sends(retry);
    await answer('read', 'still');
    expect(context()).toMatchObject({ known: 'still', unread: null });
  });

  it('can be read again after a first reading that failed, if a repetition can help', async () => {
    const { refuse, answer, sends, at, can } = opened(clock);
    await refuse('read', failure);
    expect(at()).toEqual({ known: 'failed', doing: 'idle' });
    expect(can(stop)).toBe(false);
    await sends(retry);
    await refuse('read', never);
    expect(at()).toEqual({ known: 'failed', doing: 'idle' });
    expect(can(retry)).toBe(false);
    await sends(stale);
    await answer('read', 'runs');
    expect(at()).toEqual({ known: 'shown', doing: 'idle' });
  });

  it('permits an act as far as what is known does, also while it is read again', async () => {
    const { can, sends, answer, at } = await shown();
    expect(can(stop)).toBe(true);
    await sends(stale);
    await sends(stop);
    expect(at()).toMatchObject({ doing: 'acting' });
    await answer('act');
    await answer('read', 'still');
    expect(can(stop)).toBe(false);
  });

  it('acts once on a double press, until half a second after its new reading (behaviour 10.6.2)', async () => {
    const { sends, answer, pass, can, acts, emitted, context } = await shown();
    await sends(stop);
    await sends(stop);
    await answer('act', 'stopped');
    expect(context()).toMatchObject({ result: 'stopped', failure: null });
    await sends(stop);
    await answer('read', 'runs');
    await sends(stop);
    expect(acts()).toBe(1);
    expect(can(start)).toBe(true);
    await pass(doubleClick);
    expect(can(stop)).toBe(true);
    expect(emitted).toEqual(['acted']);
  });

  it('waits with news until half a second after an act has passed', async () => {
    const { sends, answer, pass, at } = await shown();
    await sends(stop);
    await answer('act');
    await answer('read', 'runs');
    await sends(stale);
    expect(at()).toMatchObject({ doing: 'resting' });
    await pass(doubleClick);
    expect(at()).toMatchObject({ doing: 'reading' });
    await answer('read', 'still');
    expect(at()).toMatchObject({ doing: 'idle' });
  });

  it('asks before an act that demands it, and forgets it when the user cancels', async () => {
    const { sends, answer, at, acts, emitted, context } = await shown();
    await sends(start);
    for (const event of [start, retry, stale, { type: 'subject.release' }, choose({})]) await sends(event);
    expect(at()).toMatchObject({ doing: 'asking' });
    await sends({ type: 'dismiss' });
    await answer('read', 'runs');
    expect(context()).toMatchObject({ act: null });
    await sends(start);
    await sends({ type: 'confirm' });
    await answer('act');
    expect(acts()).toBe(1);
    expect(emitted).toEqual(['facts.changed', 'acted']);
  });

  it('keeps its reading after a refused act, says why, and takes the act again (behaviour 10.2.5)', async () => {
    const { sends, refuse, answer, at, context, can, acts } = await shown();
    await sends(stop);
    await refuse('act', failure);
    expect(at()).toEqual({ known: 'shown', doing: 'reading' });
    expect(context()).toMatchObject({ known: 'runs', failure });
    await answer('read', 'runs');
    expect(context()).toMatchObject({ failure });
    expect(can(stop)).toBe(true);
    await sends(stop);
    expect(context()).toMatchObject({ failure: null });
    expect(acts()).toBe(2);
  });

  it('reports facts that an act may have changed also if it failed', async () => {
    const { sends, refuse, emitted } = await shown();
    await sends(start);
    await sends({ type: 'confirm' });
    await refuse('act', failure);
    expect(emitted).toEqual(['facts.changed']);
  });

  it('ignores everything but the answer while it is changed', async () => {
    const { sends, at } = await shown();
    await sends(stop);
    for (const event of [start, retry, stale, { type: 'dismiss' }, { type: 'subject.release' }, choose({})])
      // prettier-ignore
      await sends(event);
    expect(at()).toMatchObject({ doing: 'acting' });
  });

  it('has no choice of what is read', async () => {
    const { can } = await shown();
    expect([can(choose({})), can({ type: 'subject.release' })]).toEqual([false, false]);
  });
});

describe('a resource of the user’s choice', () => {
  it('is read once it is chosen, replaced by another choice, and forgotten when it is released', async () => {
    const { sends, answer, refuse, at, context, pending, can, acts } = opened(file);
    expect(at()).toEqual({ known: 'unknown', doing: 'idle' });
    expect([can(stop), can(stale), can(retry)]).toEqual([false, false, false]);
    await sends(choose({ name: 'a' }));
    expect(pending('read').input).toEqual({ name: 'a' });
    await answer('read', 'A');
    expect(at()).toEqual({ known: 'shown', doing: 'idle' });
    await sends(choose({ name: 'b' }));
    expect(at()).toEqual({ known: 'unknown', doing: 'reading' });
    expect(context()).toMatchObject({ known: null });
    await refuse('read', failure);
    expect(at()).toEqual({ known: 'failed', doing: 'idle' });
    await sends({ type: 'subject.release' });
    expect(at()).toEqual({ known: 'unknown', doing: 'idle' });
    expect(context()).toMatchObject({ subject: null, unread: null });
    await sends(choose({ name: 'c' }));
    await answer('read', 'C');
    await sends(stop);
    await answer('act');
    expect(acts()).toBe(1);
    expect(at()).toEqual({ known: 'shown', doing: 'resting' });
  });

  it('reports that the user closes it, unless it is being changed', async () => {
    const { sends, emitted } = opened(file);
    await sends({ type: 'dismiss' });
    expect(emitted).toEqual(['dismissed']);
  });
});

describe('a resource of which nothing is read', () => {
  it('has only acts, of which one is under way at a time', async () => {
    const { sends, answer, at, acts, pass, can } = opened({});
    await sends(stop);
    await sends(start);
    await answer('act');
    expect(at()).toEqual({ known: 'unknown', doing: 'resting' });
    expect([can(stop), can(start), acts()]).toEqual([false, true, 1]);
    await pass(doubleClick);
    expect(can(stop)).toBe(true);
  });

  it('says itself which acts are alike, so that another row’s act follows at once', async () => {
    const { sends, answer, can } = opened({
      repeats: (act: { act: string; id: string }, last: { act: string; id: string }) => act.id === last.id,
    });
    await sends({ ...stop, id: 'a' } as EventObject);
    await answer('act');
    expect([can({ ...stop, id: 'a' } as never), can({ ...stop, id: 'b' } as never)]).toEqual([false, true]);
  });
});

describeWatched(resourceMachine);
