import fc from 'fast-check';
import pg from 'pg';
import { expect, describe, it, onTestFinished, vi } from 'vitest';
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

  it('write a record beside a turn of the other one that comes to it after others', async () => {
    const url = await temporaryDatabase();
    const [one, other] = [await open(url), await open(url)];
    await one.entries.write('w/debtors', [row('first', 'before'), row('second', 'before')], true);
    const [before] = (await one.entries.all('w/debtors')).slice(1);
    let beside: Promise<boolean> | undefined;
    await one.inTurn('w x', async () => {
      await one.entries.write('w/debtors', [row('first', 'in turn')], true);
      beside = other.entries.replace('w/debtors', before!, row('second', 'beside')); // there are two
      await vi.waitFor(async () =>
        expect(await statement(url, 'select from pg_locks where not granted')).toHaveLength(1),
      );
      await one.entries.write('w/debtors', [row('second', 'in turn')], true);
    });
    // It was the turn's first, so that there is another record than it was to replace.
    expect(await beside).toBe(false);
    expect((await one.entries.all('w/debtors')).map(({ value }) => value)).toEqual(['in turn', 'in turn']);
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

  it('ask the database once in a request for all that is small, and for the rest where it has changed', async () => {
    const url = await temporaryDatabase();
    const [one, other] = [await open(url), await open(url)];
    const many = (kind: string) => Array.from({ length: 30 }, (_, index) => row(`${kind} ${index}`));
    await one.entries.write('w/debtors', [row('d')], true);
    await one.entries.write('w/creditors', many('c'), true);
    const read = (engine: Engine) =>
      engine.asOne(async () => {
        const { entries } = engine;
        return [
          await entries.find('w/debtors', 'd'),
          await entries.count({ namespace: 'w/debtors', owners: null }),
          await entries.page({ namespace: 'w/debtors', owners: null }, { isLatestFirst: true, most: 5 }),
          await entries.all('w/creditors'),
          await entries.settingsOf('w'),
          await entries.aside('w'),
        ] as const;
      });
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => asked.mockRestore());
    /** The number of statements of a request, and what it reads. */
    const counted = async (engine = one) => {
      asked.mockClear();
      return [await read(engine), asked.mock.calls.length] as const;
    };
    const [first, atFirst] = await counted();
    expect(atFirst).toBe(2);
    const [second, again] = await counted();
    expect(again).toBe(1);
    expect(second[0], 'the very same').toBe(first[0]);
    await other.entries.write('w/debtors', [row('e')], true);
    const [third, afterSmall] = await counted();
    expect(afterSmall).toBe(1);
    expect(third[0]).toBe(first[0]);
    expect(third[1]).toBe(2);
    await other.entries.write('w/creditors', [row('another')], true);
    const [fourth, afterLarge] = await counted();
    expect(afterLarge).toBe(2);
    expect(fourth[3]).toHaveLength(31);
    expect((await counted(other))[0]).toEqual(fourth);
  });

  it('read within a request what the database holds, whatever both write to namespaces large and small', async () => {
    const url = await temporaryDatabase();
    const both = [await open(url), await open(url)] as const;
    const names = ['w/settings', 'w/one/settings', 'w/two/settings', 'w/debtors'];
    const read = async ({ entries }: Engine) => ({
      ...(await entries.settingsOf('w').then((settings) => ({ settings }))),
      aside: await entries.aside('w'),
      spaces: await Promise.all(
        names.map(async (namespace) => [
          await entries.all(namespace),
          await entries.find(namespace, 'key 1'),
          (await entries.tallies(namespace))
            .filter(({ count }) => count > 0)
            .sort((a, b) => (a.owner < b.owner ? -1 : 1)),
          ...(await Promise.all(
            [null, ['ada'], ['ada', 'ben']].flatMap((owners) => [
              entries.count({ namespace, owners }),
              entries.page({ namespace, owners }, { isLatestFirst: true, most: 3 }),
              entries.page({ namespace, owners }, { isLatestFirst: false, after: 5, most: 3 }),
            ]),
          )),
        ]),
      ),
    });
    const step = fc.record({
      at: fc.nat(1),
      name: fc.constantFrom(...names),
      what: fc.constantFrom('write', 'long', 'many', 'remove', 'clear', 'setAside', 'undone'),
      key: fc.nat(3).map((index) => `key ${index}`),
      value: fc.constantFrom('one', 'other'),
      owner: fc.constantFrom(null, 'ada', 'ben'),
    });
    async function change({
      at,
      name,
      what,
      key,
      value,
      owner,
    }: typeof step extends fc.Arbitrary<infer Step> ? Step : never) {
      const engine = both[at]!; // one of both
      const { entries } = engine;
      if (what === 'write') await entries.write(name, [row(key, value, owner)], true);
      if (what === 'long') await entries.write(name, [row(key, value.repeat(10_000), owner)], true);
      if (what === 'many')
        await entries.write(
          name,
          Array.from({ length: 25 }, (_, index) => row(`${index}`, value, owner)),
          true,
        );
      if (what === 'remove') await entries.remove(name, key, true);
      if (what === 'clear') await entries.clear([{ namespace: name }]);
      if (what === 'setAside')
        for (const each of (await entries.all(name)).slice(0, 1)) await entries.setAside(name, each, 5);
      if (what === 'undone')
        await engine
          .inTurn('w x', async () => {
            await entries.write(name, [row(key, 'undone')], true);
            throw new Error('undone');
          })
          .catch(() => undefined);
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        for (const each of steps) {
          await change(each);
          const [found, known] = [
            await read(both[0]),
            await Promise.all(both.map((one) => one.asOne(() => read(one)))),
          ];
          expect(known).toEqual([found, found]);
        }
      }),
      { numRuns: 5 },
    );
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
