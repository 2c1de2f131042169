import { describe, expect, it, vi } from 'vitest';
import { systemClock, type Clock } from '#server/clock.ts';
import type { Weight } from '#server/timeline/evidence.ts';
import { createTimelines } from '#server/timeline/timeline.ts';
import { defaultWorkspace } from '#server/http/user.ts';
import { silent } from '#tests/support/console.ts';
import { engines, temporaryFile, testStorage } from '#tests/support/storage.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const { id: _, ...sample } = timelineEntry({ at: new Date().toISOString() });

/** A clock whose timers run when `pass` says that their time has come. */
function steppedClock() {
  let passed = 0;
  const timers = new Map<number, { run: () => void; at: number }>();
  let last = 0;
  const clock: Clock = {
    now: () => systemClock.now() + passed,
    steady: () => passed,
    setTimeout(run, ms) {
      timers.set((last += 1), { run, at: passed + ms });
      return last;
    },
    clearTimeout: (id) => void timers.delete(id as number), // of setTimeout
  };
  const pass = (ms: number) => {
    passed += ms;
    for (const [id, { run, at }] of timers)
      if (at <= passed) {
        timers.delete(id);
        run();
      }
  };
  return { clock, pass };
}

async function timelineOn(url: string, entries = 1000) {
  const { clock, pass } = steppedClock();
  const storage = await testStorage(url);
  const stored = storage.timeline<typeof sample>();
  const some = vi.spyOn(stored, 'some');
  const append = vi.spyOn(stored, 'append');
  const timelines = createTimelines({
    ...{ clock, log: silent, entries },
    storage: { ...storage, timeline: () => stored as never },
  });
  return { timeline: timelines.of(defaultWorkspace), timelines, pass, some, append };
}

describe.each(engines)('The timeline on %s', (_engine, newDatabase) => {
  it.each<[string, Weight, boolean, number]>([
    ['a call within a second', 'call', false, 1000],
    ['a read within a second', 'read', false, 1000],
    ['what may be evidence within 200 ms', 'evidence', false, 200],
    ['what a page follows within 200 ms', 'read', true, 200],
  ])('writes %s (threat 7.17)', async (_what, weight, isFollowed, within) => {
    const { timeline, pass, append } = await timelineOn(await newDatabase());
    const heard: string[] = [];
    if (isFollowed)
      timeline.subscribe(
        (entries) => heard.push(...entries.map(({ name }) => name)),
        () => undefined,
      );
    timeline.add(() => ({ ...sample, name: 'first' }), weight);
    pass(within - 1);
    expect(append).not.toHaveBeenCalled();
    pass(1);
    await vi.waitFor(() => expect(append).toHaveBeenCalledOnce());
    if (isFollowed) await vi.waitFor(() => expect(heard).toEqual(['first']));
  });

  it('hands what it has written to its own followers without reading it', async () => {
    const { timeline, some } = await timelineOn(await newDatabase());
    const heard: unknown[] = [];
    timeline.subscribe(
      (entries) => heard.push(...entries),
      () => undefined,
    );
    for (let turn = 0; turn < 60; turn += 1) timeline.add(() => ({ ...sample, name: `call ${turn}` }));
    const listed = await timeline.list();
    await vi.waitFor(() => expect(heard).toEqual(listed));
    expect(some).not.toHaveBeenCalled();
  });
});

describe('The timeline', () => {
  it('makes no entry that it would delete at once, and all evidence (behaviour 10.15.5; threat 6.31)', async () => {
    const { timeline } = await timelineOn(await temporaryFile(), 50);
    const made: string[] = [];
    const add = (name: string, weight: Weight) =>
      timeline.add(() => {
        made.push(name);
        return { ...sample, kind: weight === 'call' ? 'program' : 'service', name };
      }, weight);
    add('payment', 'evidence');
    for (let turn = 0; turn < 500; turn += 1) add(`read ${turn}`, 'read');
    for (let turn = 0; turn < 20; turn += 1) add(`call ${turn}`, 'call');
    const names = (await timeline.list()).map(({ name }) => name);
    expect(names).toHaveLength(50);
    expect(made.sort()).toEqual(names.toSorted());
    expect(names).toEqual(expect.arrayContaining(['payment', 'call 0', 'call 19', 'read 499']));
    expect(names).not.toContain('read 0');
  });

  it('writes what waits before it is read and when it is closed', async () => {
    const { timeline, timelines } = await timelineOn(await temporaryFile());
    timeline.add(() => ({ ...sample, name: 'one' }));
    expect((await timeline.list()).map(({ name }) => name)).toEqual(['one']);
    timeline.add(() => ({ ...sample, name: 'two' }));
    await timelines.flush();
    expect((await timeline.list()).map(({ name }) => name)).toEqual(['one', 'two']);
  });
});
