import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { Write } from '#server/storage/writes.ts';
import { engines, here, testDatabase, testStorage } from '#tests/support/storage.ts';

const there = { workspace: 'w', companyKey: 'other' };
const elsewhere = { workspace: 'other', companyKey: 'c' };
const batch = (id: string) => ({ kind: 'batch', id }) as const;
/** Stands for a body as it is stored. */
const sealed = 'sealed';
const done = { answer: { data: { batchId: 'b' } } };

/** The facts of a line that states its reference and sum alone. */
const line = (reference: string) => ({
  reference,
  note: '',
  sum: `sum of ${reference}`,
  payee_ids: '',
  ibans: '',
  numbers: '',
  name: '',
});

describe.each(engines)('The writes on %s', (engine, newDatabase) => {
  /** The time of the console; on PostgreSQL it is the database’s. */
  const at = (ms: number): unknown => (engine === 'SQLite' ? ms : expect.any(Number));

  async function opened(url?: string) {
    const time = { now: 1000 };
    const place = url ?? (await newDatabase());
    const storage = await testStorage(place, { clock: { ...systemClock, now: () => time.now } });
    const { writes } = storage;
    const claim = async (key: string, more: Partial<Parameters<typeof writes.claim>[0]> = {}) => {
      const write = await writes.claim({
        ...here,
        key,
        call: 'createBatch',
        fingerprint: `fingerprint of ${key}`,
        serviceKey: `service ${key}`,
        serviceTime: undefined,
        body: { of: key },
        ...more,
      });
      if (!write) throw new Error(`${key} was claimed before`);
      return write;
    };
    const keys = (found: readonly Write[]) => found.map(({ key }) => key);
    return { url: place, storage, writes, claim, keys, time };
  }

  it('hold a claim as it was made, with the time of the console unless another is given', async () => {
    const { writes, claim } = await opened();
    const write = await claim('k', { owner: 'o', serviceTime: 5 });
    expect(write).toEqual({
      ...here,
      position: 1,
      key: 'k',
      call: 'createBatch',
      owner: 'o',
      fingerprint: 'fingerprint of k',
      state: 'claimed',
      turn: 1,
      claimedAt: at(1000),
      serviceTime: 5,
      serviceKey: 'service k',
      createdId: '',
      settledBy: undefined,
      settledAt: 0,
    });
    expect(await writes.find(here, 'k')).toEqual(write);
    expect(await writes.byServiceKey(here, 'service k')).toEqual(write);
    expect(await claim('early', { claimedAt: 7 })).toMatchObject({ claimedAt: 7, owner: '', serviceTime: undefined });
    expect(await writes.bodyOf(write)).toEqual({ of: 'k' });
    expect([await writes.doneOf(write), await writes.wordsOf(write)]).toEqual([undefined, '']);
  });

  it('are claimed once for each workspace, company and key, also by twenty at once', async () => {
    const { writes, claim } = await opened();
    const first = await claim('k');
    const again = { ...first, body: 'other', fingerprint: 'other' };
    expect(await Promise.all(Array.from({ length: 20 }, () => writes.claim(again)))).toEqual(
      Array.from({ length: 20 }, () => undefined),
    );
    expect(await writes.bodyOf(first)).toEqual({ of: 'k' });
    for (const at of [there, elsewhere]) expect(await claim('k', at)).toMatchObject({ ...at, turn: 1 });
    const racing = await Promise.all(Array.from({ length: 20 }, () => writes.claim({ ...again, key: 'race' })));
    expect(racing.filter(Boolean)).toHaveLength(1);
  });

  it('are found by their place alone, whatever is in their keys', async () => {
    const { writes, claim } = await opened();
    const odd = ['', "o'k", 'k%', 'k_', 'K', '\u0000', 'a\tb', '\u202e', 'k '];
    for (const [index, key] of odd.entries()) await claim(key, { serviceKey: `service ${index}`, fingerprint: 'any' });
    for (const key of odd) {
      expect([key, await writes.bodyOf((await writes.find(here, key))!)]).toEqual([key, { of: key }]);
      for (const at of [there, elsewhere]) expect(await writes.find(at, key)).toBeUndefined();
    }
    expect(await writes.find(here, 'kx')).toBeUndefined();
    expect(await writes.byServiceKey(there, 'service 1')).toBeUndefined();
    expect((await writes.byServiceKey(here, 'service 1'))?.key).toBe("o'k");
  });

  it('are listed by company, call and state, the earliest claim first', async () => {
    const { writes, claim, keys } = await opened();
    const [one, two, three, four] = [await claim('1'), await claim('2'), await claim('3'), await claim('4')];
    await claim('5', { call: 'createCompany' });
    for (const at of [there, elsewhere]) await claim('6', at);
    await writes.loseTrack(one, 'lost');
    await writes.loseTrack(two, 'refused', 'refused');
    await writes.end(three, done);
    const of = async (...states: Write['state'][]) => keys(await writes.list(here, { call: 'createBatch', states }));
    expect(await of('claimed')).toEqual(['4']);
    expect(await of('unknown')).toEqual(['1']);
    expect(await of('refused')).toEqual(['2']);
    expect(await of('done')).toEqual(['3']);
    expect(await of('done', 'unknown', 'claimed', 'refused')).toEqual(['1', '2', '3', '4']);
    await writes.remove(four);
    expect(await of('claimed')).toEqual([]);
    await claim('4'); // anew, by somebody else
    expect(await writes.hold(four)).toBe('lost');
    expect(keys(await writes.list(here, { call: 'createCompany', states: ['claimed'] }))).toEqual(['5']);
  });

  const states: [Write['state'], (writes: Awaited<ReturnType<typeof opened>>['writes'], write: Write) => unknown][] = [
    ['claimed', () => undefined],
    ['unknown', (writes, write) => writes.loseTrack(write, 'w')],
    ['refused', (writes, write) => writes.loseTrack(write, 'w', 'refused')],
    ['done', (writes, write) => writes.end(write, done)],
  ];
  it.each(states)(
    'that are %s can be taken over, ended, lost and removed unless they are done',
    async (state, brings) => {
      const { writes, claim } = await opened();
      const isOpen = state !== 'done';
      const brought = async (key: string) => {
        const write = await claim(key);
        await brings(writes, write);
        return write;
      };
      expect(await writes.hold(await brought('mine'))).toBe(isOpen ? 'mine' : 'lost');
      const taken = await writes.takeOver(await brought('taken'), sealed);
      expect(taken?.turn).toBe(isOpen ? 2 : undefined);
      expect(taken?.state).toBe(isOpen ? state : undefined);
      expect(await writes.end(await brought('ended'), done)).toBe(isOpen);
      expect(await writes.loseTrack(await brought('lost'), 'w')).toBe(isOpen);
      expect(await writes.remove(await brought('removed'))).toBe(isOpen);
      expect((await writes.find(here, 'removed'))?.state).toBe(isOpen ? undefined : 'done');
      expect((await writes.find(here, 'lost'))?.state).toBe(isOpen ? 'unknown' : 'done');
    },
  );

  it('that were taken over are lost to whoever held them, who changes nothing', async () => {
    const { writes, claim } = await opened();
    const held = await claim('k');
    const next = (await writes.takeOver(held, sealed))!;
    expect(await writes.takeOver(held, sealed)).toBeUndefined();
    expect([await writes.hold(held), await writes.hold(next)]).toEqual(['lost', 'mine']);
    expect(await writes.end(held, done)).toBe(false);
    expect(await writes.loseTrack(held, 'late', 'refused')).toBe(false);
    expect(await writes.remove(held)).toBe(false);
    expect(await writes.find(here, 'k')).toEqual(next);
    expect(await writes.wordsOf(held)).toBe('');
    expect(
      (await Promise.all(Array.from({ length: 10 }, () => writes.takeOver(next, sealed)))).filter(Boolean),
    ).toHaveLength(1);
  });

  it('keep the first words until a refusal gives others, and the latest time of the service', async () => {
    const { writes, claim } = await opened();
    const write = await claim('k', { serviceTime: 1 });
    const told = async () => {
      const now = (await writes.find(here, 'k'))!;
      return [now.state, await writes.wordsOf(write), now.serviceTime];
    };
    await writes.loseTrack({ ...write, serviceTime: 2 }, 'first');
    expect(await told()).toEqual(['unknown', 'first', 2]);
    await writes.loseTrack({ ...write, serviceTime: 3 }, 'second');
    expect(await told()).toEqual(['unknown', 'first', 3]);
    await writes.loseTrack(write, 'no', 'refused');
    expect(await told()).toEqual(['refused', 'no', 1]);
    await writes.loseTrack({ ...write, serviceTime: undefined }, 'third');
    expect(await told()).toEqual(['unknown', 'no', undefined]);
  });

  it.each(['read', 'webhook'] as const)(
    'that a %s has settled are ended by their response all the same, and by nothing else',
    async (settledBy) => {
      const { writes, claim, time } = await opened();
      const write = await claim('k');
      time.now = 2000;
      expect(await writes.end(write, { ...done, created: batch('guessed'), settledBy, settledIn: 'i' })).toBe(true);
      expect(await writes.find(here, 'k')).toMatchObject({ createdId: 'guessed', settledBy, settledAt: at(2000) });
      expect(await writes.doneOf(write)).toEqual({ ...done, settledIn: 'i' });
      expect([await writes.hold(write), await writes.takeOver(write, sealed)]).toEqual(['mine', undefined]);
      expect([await writes.loseTrack(write, 'w'), await writes.remove(write)]).toEqual([false, false]);
      expect(await writes.end(write, { ...done, created: batch('true') })).toBe(true);
      expect(await writes.find(here, 'k')).toMatchObject({ createdId: 'true', settledBy: undefined, settledAt: 0 });
      expect(await writes.creatorOf('batch', 'guessed')).toBeUndefined();
      expect(await writes.end(write, { ...done, created: batch('other') })).toBe(false);
      expect(await writes.end(write, { ...done, created: batch('other'), settledBy })).toBe(false);
    },
  );

  it('that more than their first response has settled are listed, the latest first, as many as are asked for', async () => {
    const { writes, claim, keys, time } = await opened();
    for (const [key, settledBy] of Object.entries({ a: 'read', b: 'webhook', c: undefined, d: 'response' } as const)) {
      time.now += 10;
      await writes.end(await claim(key), { ...done, created: batch(key), settledBy });
    }
    await writes.end(await claim('e', there), { ...done, settledBy: 'read' });
    await writes.end(await claim('f', { call: 'createCompany' }), { ...done, settledBy: 'read' });
    expect(keys(await writes.settled(here, 'createBatch', 10))).toEqual(['d', 'b', 'a']);
    expect(keys(await writes.settled(here, 'createBatch', 2))).toEqual(['d', 'b']);
  });

  it('name the creator of each id once, for all workspaces, in any letter case and between blanks', async () => {
    const { writes, claim } = await opened();
    const [first, second] = [await claim('1'), await claim('2', elsewhere)];
    await writes.end(first, { ...done, created: batch(' B-\u202e1 ') });
    for (const id of ['b-\u202e1', ' B-\u202e1', 'B-\u202e1\n'])
      expect((await writes.creatorOf('batch', id))?.position).toBe(first.position);
    expect((await writes.find(here, '1'))?.createdId, 'as the service wrote it').toBe(' B-\u202e1 ');
    expect(await writes.creatorOf('subscription', 'b-\u202e1')).toBeUndefined();
    await expect(writes.end(second, { ...done, created: batch('b-\u202e1') })).rejects.toThrow();
    expect(await writes.find(elsewhere, '2')).toMatchObject({ state: 'claimed', createdId: '' });
    expect(await writes.end(second, { ...done, created: { kind: 'subscription', id: 'b-\u202e1' } })).toBe(true);
  });

  it('note what a program has created once, by whoever came first', async () => {
    const { writes, claim } = await opened();
    await writes.noteCreated('w', batch('b'), 'of the program');
    await writes.noteCreated('w', batch('B'), 'again');
    await writes.noteCreated('other', batch('b'), 'again');
    expect(await writes.creatorOf('batch', 'b')).toMatchObject({
      workspace: 'w',
      call: '',
      state: 'done',
      serviceKey: 'of the program',
      createdId: 'b',
    });
    await writes.noteCreated('w', batch('b\u0000'), 'with a character that no text of PostgreSQL holds');
    expect(await writes.creatorOf('batch', 'b\u0000')).toBeDefined();
    await writes.end(await claim('k'), { ...done, created: batch('c') });
    await writes.noteCreated('w', batch('c'), 'late');
    expect((await writes.creatorOf('batch', 'c'))?.key).toBe('k');
  });

  it('forget what they sent and received with their company, but not that they were made', async () => {
    const { writes, claim } = await opened();
    const [one, two, other] = [await claim('1'), await claim('2'), await claim('3', there)];
    await writes.end(one, { ...done, created: batch('b') });
    await writes.loseTrack(two, 'w');
    await writes.forgetContents(here);
    expect([await writes.bodyOf(one), await writes.doneOf(one)]).toEqual([undefined, undefined]);
    expect([await writes.bodyOf(two), await writes.wordsOf(two)]).toEqual([undefined, '']);
    expect(await writes.creatorOf('batch', 'b')).toMatchObject({ key: '1', state: 'done' });
    expect(await writes.find(here, '2')).toMatchObject({ state: 'unknown', fingerprint: 'fingerprint of 2' });
    expect(await writes.bodyOf(other)).toEqual({ of: '3' });
    // Nor is anything stored of what ends later.
    for (const state of ['unknown', 'refused'] as const) expect(await writes.loseTrack(two, 'late', state)).toBe(true);
    expect(await writes.wordsOf(two)).toBe('');
    expect(await writes.end(two, { ...done, created: batch('late') })).toBe(true);
    expect(await writes.doneOf(two)).toBeUndefined();
    expect(await writes.creatorOf('batch', 'late')).toMatchObject({ key: '2', state: 'done' });
  });

  it('go with their workspace, with what they pay and have created, and no other’s do', async () => {
    const { storage, writes, claim } = await opened();
    const { invoiceLines } = storage;
    for (const at of [here, there, elsewhere]) {
      const write = await claim('k', at);
      await invoiceLines.add(write.position, [line(`of ${at.workspace} ${at.companyKey}`)]);
      await writes.end(write, { ...done, created: batch(`of ${at.workspace} ${at.companyKey}`) });
    }
    await writes.noteCreated('w', batch('p'), 'of the program');
    const underWay = await claim('under way');
    await writes.forgetAll('w');
    for (const at of [here, there]) expect(await writes.find(at, 'k')).toBeUndefined();
    const left = await invoiceLines.like([line('of w c'), line('of w other'), line('of other c')]);
    expect(left.map(({ reference }) => reference)).toEqual(['of other c']);
    for (const id of ['of w c', 'of w other', 'p']) expect(await writes.creatorOf('batch', id)).toBeUndefined();
    expect(await writes.creatorOf('batch', 'of other c')).toBeDefined();
    expect(await writes.end(underWay, { ...done, created: batch('late') })).toBe(false);
    expect(await writes.end(await claim('k'), { ...done, created: batch('of w c') })).toBe(true);
  });

  it('go with what they were to pay', async () => {
    const { url, storage, writes, claim } = await opened();
    for (const key of ['removed', 'kept']) await storage.invoiceLines.add((await claim(key)).position, [line(key)]);
    expect(await writes.remove((await writes.find(here, 'removed'))!)).toBe(true);
    await storage.close();
    const { read } = await testDatabase(url);
    const left = await read((db) => db.selectFrom('invoice_lines').select('reference').execute());
    expect(left).toEqual([{ reference: 'kept' }]);
  });

  it('keep all of this across a restart', async () => {
    const { url, storage, writes, claim } = await opened();
    const [one, two] = [await claim('1'), await claim('2')];
    await writes.end(one, { ...done, created: batch('b'), exchange: undefined });
    await writes.loseTrack(two, 'w', 'refused');
    const before = [await writes.find(here, '1'), await writes.find(here, '2')];
    await storage.close();
    const again = await opened(url);
    expect([await again.writes.find(here, '1'), await again.writes.find(here, '2')]).toEqual(before);
    expect(await again.writes.doneOf(one)).toEqual(done);
    expect(await again.writes.wordsOf(two)).toBe('w');
    expect(await again.claim('3')).toMatchObject({ position: two.position + 1 });
  });
});
