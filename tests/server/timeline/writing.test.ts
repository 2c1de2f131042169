import { describe, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { systemClock, type Clock } from '#server/clock.ts';
import { DatabaseError } from '#server/storage/errors.ts';
import { weightOf, type Weight } from '#server/timeline/evidence.ts';
import { createTimelines } from '#server/timeline/timeline.ts';
import { defaultWorkspace } from '#server/http/user.ts';
import { silent } from '#tests/support/console.ts';
import { engines, temporaryFile, testStorage } from '#tests/support/storage.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';
import { createRing } from '#server/timeline/ring.ts';

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

/** The write that has created a batch. */
const posting = (batchId: string): typeof sample => ({
  ...sample,
  kind: 'service',
  method: 'POST',
  status: 201,
  interactionId: `write of ${batchId}`,
  response: { headers: {}, body: JSON.stringify({ data: { batchId } }), bytes: 1 },
});

async function timelineOn(url: string, entries = 1000) {
  const { clock, pass } = steppedClock();
  const storage = await testStorage(url);
  const stored = storage.timeline<typeof sample>();
  const some = vi.spyOn(stored, 'some');
  const original = { ...stored };
  const append = vi.fn((...of: Parameters<typeof original.append>) => original.append(...of));
  stored.append = append;
  let isFailing = false;
  const records: typeof storage.records = (kind, at) => {
    const real = storage.records(kind, at);
    return {
      ...real,
      putAll: async (all) => {
        const fails = isFailing;
        isFailing = false;
        if (fails) throw new DatabaseError('the store', 'SQLITE_FULL', 'it is full');
        await real.putAll(all);
      },
    };
  };
  const timelines = createTimelines({
    clock,
    log: silent,
    entries,
    storage: { ...storage, records, timeline: () => stored as never },
  });
  /** Lets evidence fail once. */
  const failEvidence = () => void (isFailing = true);
  return { timeline: timelines.of(defaultWorkspace), timelines, pass, some, append, failEvidence };
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

  it.each([0, 1, 2, 3])(
    'keeps each entry and its evidence once, in order, if the store fails at writing %i of them (behaviour 10.15.5)',
    async (failing) => {
      const { timeline, append, failEvidence } = await timelineOn(await temporaryFile());
      const add = (number: number) =>
        timeline.add(() => ({ ...posting(`batch-${number}`), name: String(number) }), 'evidence');
      for (let number = 0; number < 60; number += 1) add(number);
      const real = append.getMockImplementation()!;
      let calls = 0;
      append.mockImplementation(async (...of) => {
        calls += 1;
        if (failing < 3 && calls === failing + 1) throw new DatabaseError('the store', 'SQLITE_FULL', 'it is full');
        return real(...of);
      });
      if (failing === 3) failEvidence();
      await timeline.list();
      add(60);
      const names = (await timeline.list()).map(({ name }) => name);
      expect(names).toEqual(Array.from({ length: 61 }, (_each, number) => String(number)));
      for (const number of [0, 24, 25, 59, 60])
        expect((await timeline.about(`batch-${number}`)).map(({ name }) => name)).toEqual([String(number)]);
    },
  );

  it('stores no entry twice if the answer of the store is lost, and those after it (behaviour 10.15.5)', async () => {
    const { timeline, append } = await timelineOn(await temporaryFile());
    for (let number = 0; number < 60; number += 1)
      timeline.add(() => ({ ...posting(`batch-${number}`), name: String(number) }), 'evidence');
    const real = append.getMockImplementation()!;
    append.mockImplementationOnce(async (...of) => {
      await real(...of);
      throw new DatabaseError('the store', 'POSTGRES_ENDED', 'its connection ended');
    });
    await timeline.list();
    const names = (await timeline.list()).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 60 }, (_each, number) => String(number)));
    expect(await timeline.about('batch-59')).toHaveLength(1);
  });

  it('holds at most its number of refused webhooks while the store fails, and of entries (threat 6.31)', async () => {
    const { timeline, append } = await timelineOn(await temporaryFile(), 50);
    append.mockRejectedValueOnce(new DatabaseError('the store', 'SQLITE_FULL', 'it is full'));
    let made = 0;
    const add = (status: number) => {
      const webhook = { ...sample, kind: 'webhook', method: 'POST', status } as const;
      timeline.add(() => {
        made += 1;
        return webhook;
      }, weightOf(webhook));
    };
    for (let turn = 0; turn < 500; turn += 1) add([400, 403, 413, 500, 503][turn % 5]!);
    await timeline.list();
    for (let turn = 0; turn < 500; turn += 1) add(403);
    expect(await timeline.list()).toHaveLength(50);
    // Those of one batch were made when the store failed.
    expect(made).toBeLessThanOrEqual(50 + 25);
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

const weights: readonly Weight[] = ['read', 'call', 'evidence'];

/** What is left of items, each of which is named by its place and weight. */
function leftOf(items: readonly Weight[], most: number, latest: number): string[] {
  const ring = createRing<string>(most, latest);
  for (const [place, weight] of items.entries()) ring.add(`${place} ${weight}`, weight);
  return ring.take().map(({ item }) => item);
}

describe('The ring of waiting entries', () => {
  it.each<[string, readonly Weight[], readonly string[]]>([
    ['nothing while it is not full', ['read', 'call'], ['0 read', '1 call']],
    ['the earliest read before earlier calls', ['call', 'read', 'call', 'call'], ['0 call', '2 call', '3 call']],
    [
      'the earliest call before one of the latest reads',
      ['call', 'call', 'read', 'call'],
      ['1 call', '2 read', '3 call'],
    ],
    ['the earliest of reads alone', ['read', 'read', 'read', 'read'], ['1 read', '2 read', '3 read']],
    [
      'no evidence',
      ['evidence', 'evidence', 'evidence', 'evidence', 'read'],
      Array.from({ length: 4 }, (_, at) => `${at} evidence`),
    ],
    ['calls between evidence', ['evidence', 'call', 'evidence', 'call'], ['0 evidence', '2 evidence', '3 call']],
  ])('drops %s (behaviour 10.15.5)', (_, items, left) => {
    expect(leftOf(items, 3, 2)).toEqual(left);
  });

  it('holds at most its number besides evidence, all evidence, and everything in order, whatever comes (threat 6.31)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...weights), { maxLength: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (items, most) => {
          const left = leftOf(items, most, Math.floor(most / 5));
          const evidence = items.flatMap((weight, place) => (weight === 'evidence' ? [`${place} evidence`] : []));
          expect(left.filter((each) => each.endsWith('evidence'))).toEqual(evidence);
          expect(left.length).toBe(Math.max(Math.min(items.length, most), evidence.length));
          const places = left.map((each) => Number(each.split(' ')[0]));
          expect(places).toEqual(places.toSorted((one, other) => one - other));
        },
      ),
    );
  });

  it('is empty after its entries were taken', () => {
    const ring = createRing<number>(2, 0);
    ring.add(1, 'call');
    expect([ring.take().map(({ item }) => item), ring.take(), ring.count()]).toEqual([[1], [], 0]);
  });

  it('holds what is put back before what has come since, all evidence, and at most its number besides (behaviour 10.15.5; threat 6.31)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...weights), { maxLength: 100 }),
        fc.array(fc.constantFrom(...weights), { maxLength: 100 }),
        fc.nat(100),
        (early, since, written) => {
          const one = createRing<string>(40, 8);
          const named = [...early, ...since].map((weight, place) => [`${place} ${weight}`, weight] as const);
          for (const [name, weight] of named.slice(0, early.length)) one.add(name, weight);
          const left = one.take().slice(written);
          for (const [name, weight] of named.slice(early.length)) one.add(name, weight);
          one.putBack(left);
          const names = one.take().map(({ item }) => item);
          const places = names.map((name) => Number(name.split(' ')[0]));
          expect(places).toEqual(places.toSorted((first, second) => first - second));
          const evidence = [...left.map(({ item }) => item), ...named.slice(early.length).map(([name]) => name)].filter(
            (name) => name.endsWith('evidence'),
          );
          expect(names.filter((name) => name.endsWith('evidence'))).toEqual(evidence);
          expect(names.length).toBeLessThanOrEqual(Math.max(40, evidence.length));
        },
      ),
    );
  });
});
