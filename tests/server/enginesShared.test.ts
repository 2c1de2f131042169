import { expect, describe, it, vi } from 'vitest';
import { following, systemClock } from '#server/clock.ts';
import { openEngine } from '#server/store/open.ts';
import type { Engine, Notice } from '#server/store/engine.ts';
import { opened, openedEngine as open, row, seal } from '#tests/support/engine.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';

describe('two servers on one database', () => {
  it('wait for each other’s claims and turns, and take over what a dead one held', async () => {
    const url = await temporaryDatabase();
    const [one, other] = [await open(url), await open(url)];
    await one.claims.claim('w/write/k', 'print');
    expect(await other.claims.claim('w/write/k', 'print')).toMatchObject({ isHeld: true });
    expect(await other.claims.takeOver('w/write/k')).toBe(false);
    const add = (engine: Engine) =>
      engine.inTurn('w counting', async () => {
        const found = await engine.entries.find('w/counts', 'n');
        await engine.entries.write('w/counts', [row('n', `${Number(found?.value ?? 0) + 1}`)], true);
      });
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(index % 2 ? one : other)));
    expect(await one.entries.find('w/counts', 'n')).toMatchObject({ value: '20' });
    const order: string[] = [];
    let waiting: Promise<unknown> | undefined;
    await one.whileHeld('w message', async () => {
      waiting = other.whileHeld('w message', () => Promise.resolve(order.push('other')));
      // Another name is free all the while.
      await other.whileHeld('w another', () => Promise.resolve(order.push('another')));
      order.push('one');
    });
    await waiting;
    expect(order).toEqual(['another', 'one', 'other']);

    await opened.splice(opened.indexOf(one), 1)[0]!.close();
    expect(await other.claims.claim('w/write/k', 'print')).toMatchObject({ isHeld: false });
    expect(await other.claims.takeOver('w/write/k')).toBe(true);
  });

  it('hear what the other one writes and tells, and not what they do themselves', async () => {
    const url = await temporaryDatabase();
    const [one, other] = [await open(url), await open(url)];
    const [atOne, atOther]: [Notice[], Notice[]] = [[], []];
    one.listen((notice) => atOne.push(notice));
    other.listen((notice) => atOther.push(notice));
    await one.entries.write('w/messages', [row('m1'), row('m2')], true);
    await one.entries.write('w/debtors', [row('d')], true);
    await one.inTurn('w x', () => one.entries.write('w/batches', [row('b')], true));
    await expect(
      one.inTurn('w x', async () => {
        await one.entries.write('w/batches', [row('lost')], true);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    await one.announce({ what: 'tell', namespace: 'w/messages', id: 'm3' });
    await one.announce({ what: 'tell', namespace: 'w/messages', id: 'x'.repeat(9000) });
    await vi.waitFor(() => expect(atOther).toHaveLength(5));
    expect(atOther).toEqual([
      { what: 'written', namespace: 'w/messages', id: 'm1' },
      { what: 'written', namespace: 'w/messages', id: 'm2' },
      { what: 'written', namespace: 'w/batches', id: 'b' },
      { what: 'tell', namespace: 'w/messages', id: 'm3' },
      { what: 'missed' },
    ]);
    expect(atOne).toEqual([]);
  });

  it('count the calls of one caller together, and without the database each by itself', async () => {
    const url = await temporaryDatabase();
    const [one, other] = [await open(url), await open(url)];
    const rate = { perSecond: 1, burst: 5 };
    const [takeOne, takeOther] = [one.limit('calls', rate), other.limit('calls', rate)];
    const waits: number[] = [];
    for (let call = 0; call < 8; call += 1) waits.push(await (call % 2 ? takeOne : takeOther)('ada'));
    expect(waits.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(waits.slice(6).every((wait) => wait === 1)).toBe(true);
    expect(await takeOne('ben')).toBe(0);
    expect(await other.limit('others', rate)('ada')).toBe(0);
    await other.close();
    expect(await takeOther('ada')).toBe(0);
  });

  const alike = (one: Engine, other: Engine) => {
    const [ofOne, ofOther] = [one, other].map((engine) =>
      [1000, 1001, 1063, 1064].map((least) => engine.numberFrom(least)),
    );
    expect(ofOne!.every((each, index) => each >= [1000, 1001, 1063, 1064][index]!)).toBe(true);
    return ofOne!.filter((each) => ofOther!.includes(each));
  };

  it('never number what they write alike', async () => {
    const url = await temporaryDatabase();
    expect(alike(await open(url), await open(url))).toEqual([]);
  });

  it('number it differently after one was stopped for so long that it was forgotten', async () => {
    const url = await temporaryDatabase();
    const stopped = await open(url);
    await statement(url, `update servers set alive_until = clock_timestamp() - interval '2 min'`);
    const other = await open(url);
    await stopped.insistOnKeeping();
    expect(alike(stopped, other)).toEqual([]);
  });

  it('are 64 at most, of which the dead do not count', async () => {
    const url = await temporaryDatabase();
    await (await open(url)).close();
    await statement(
      url,
      `insert into servers select 's' || n, n, clock_timestamp() + interval '1 min', array['k'] from generate_series(0, 63) as n`,
    );
    await expect(open(url)).rejects.toThrow('64 servers run on it, which is the maximum, stop one of them');
    await statement(url, `update servers set alive_until = clock_timestamp() - interval '1 s' where number = 5`);
    expect((await open(url)).numberFrom(64)).toBe(69);
  });

  it('read within one request what is there when it begins, what they write, and soon what others write', async () => {
    const url = await temporaryDatabase();
    const [one, other] = [await open(url), await open(url)];
    const value = async (engine: Engine) => (await engine.entries.find('w/counts', 'n'))?.value;
    const write = (engine: Engine, text: string) => engine.entries.write('w/counts', [row('n', text)], true);
    await write(one, 'first');
    await one.asOne(async () => {
      expect(await value(one)).toBe('first');
      const version = await one.version('w');
      await write(one, 'second');
      expect(await value(one)).toBe('second');
      expect(await one.version('w')).not.toBe(version);
      await one.inTurn('w x', async () => {
        await write(one, 'third');
        expect(await value(one)).toBe('third');
      });
      expect(await value(one)).toBe('third');
      await expect(
        one.inTurn('w x', async () => {
          await write(one, 'undone');
          throw new Error('undone');
        }),
      ).rejects.toThrow('undone');
      expect(await value(one)).toBe('third');
      await write(other, 'fourth');
      await one.asOne(async () => expect(await value(one), 'in another request').toBe('fourth'));
      await vi.waitFor(async () => expect(await value(one)).toBe('fourth'), 1000);
      await one.entries.remove('w/counts', 'n', true);
      expect(await value(one)).toBeUndefined();
    });
    await other.asOne(async () => expect(await value(other)).toBeUndefined());
  });

  it('ask the database once for what has not changed since the request before', async () => {
    const url = await temporaryDatabase();
    const [one, other] = [await open(url), await open(url)];
    await one.entries.write('w/debtors', [row('d')], true);
    const readings = () =>
      one.asOne(() =>
        Promise.all([
          one.entries.find('w/debtors', 'd'),
          one.entries.all('w/debtors'),
          one.entries.count({ namespace: 'w/debtors', owners: null }),
          one.entries.tallies('w/debtors'),
          one.entries.page({ namespace: 'w/debtors', owners: null }, { isLatestFirst: true, most: 5 }),
        ]),
      );
    const first = await readings();
    expect(first).toEqual([
      expect.objectContaining({ key: 'd' }),
      [expect.objectContaining({ key: 'd' })],
      1,
      [{ owner: '', count: 1 }],
      [expect.objectContaining({ key: 'd' })],
    ]);
    const second = await readings();
    for (const [index, each] of second.entries()) expect(each, 'the very same').toBe(first[index]);
    await other.entries.write('w/creditors', [row('c')], true);
    expect((await readings())[1]).toBe(first[1]);
    await other.entries.write('w/debtors', [row('e')], true);
    expect((await readings())[1]).toHaveLength(2);
  });

  it('have one clock, the database’s, though their own are a minute apart', async () => {
    const url = await temporaryDatabase();
    const clocks = [-60_000, 60_000].map((wrong) => ({ ...systemClock, now: () => Date.now() + wrong }));
    for (const clock of clocks) {
      const { engine, clock: common } = await openEngine(url, seal, clock, () => undefined);
      opened.push(engine);
      expect(Math.abs(common.now() - Date.now())).toBeLessThan(1000);
    }
    const steady = following({ ...systemClock, steady: () => 5 });
    steady.follow(10);
    steady.follow(-10);
    expect(steady.steady(), 'it does not go back').toBe(15);
  });
});
