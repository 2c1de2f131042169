import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createChanges } from '#server/store/changes.ts';
import type { Engine } from '#server/store/engine.ts';
import { openedEngine as open, row } from '#tests/support/engine.ts';
import { temporaryDatabase } from '#tests/support/postgres.ts';
import { temporaryFolder } from '#tests/support/store.ts';

/** The same engine; each reading and writing of records is a request, in which less is asked of the database. */
async function openByRequests(url: string): Promise<Engine> {
  const engine = await open(url);
  const entries = Object.fromEntries(
    Object.entries(engine.entries as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>).map(
      ([name, run]) => [name, (...args: unknown[]) => engine.asOne(() => run(...args))],
    ),
  );
  return { ...engine, entries: entries as unknown as Engine['entries'] }; // the same functions
}

const engines = [
  ['SQLite', () => Promise.resolve(`file:${join(temporaryFolder(), 'console.sqlite')}`), open],
  ['PostgreSQL', temporaryDatabase, open],
  ['PostgreSQL by requests', temporaryDatabase, openByRequests],
] as const;

const keysOf = (rows: readonly { key: string }[]) => rows.map(({ key }) => key);

describe.each(engines)('an engine: %s', (_name, place, open) => {
  it('keeps records in the order of their first write, whatever is written later', async () => {
    const { entries } = await open(await place());
    await entries.write('w/batches', [row('b'), row('a'), row('b', 'last')], true);
    await entries.write('w/batches', [row('c')], false);
    await entries.write('w/batches', [row('b', 'changed')], true);
    await entries.write('w/other', [row('a', 'elsewhere')], true);
    expect((await entries.all('w/batches')).map(({ key, value }) => [key, value])).toEqual([
      ['b', 'changed'],
      ['a', 'value of a'],
      ['c', 'value of c'],
    ]);
    expect(await entries.find('w/other', 'a')).toMatchObject({ value: 'elsewhere' });
    expect(await entries.find('w/batches', 'unknown')).toBeUndefined();
  });

  it('inserts a row once, whoever else inserts or writes it, and changes none', async () => {
    const { entries } = await open(await place());
    const inserted = await Promise.all(
      ['one', 'two', 'three'].map((value) => entries.insert('w/batches', row('a', value))),
    );
    expect(inserted.filter(Boolean)).toHaveLength(1);
    const kept = await entries.find('w/batches', 'a');
    expect(kept?.value).toBe(['one', 'two', 'three'][inserted.indexOf(true)]);
    await entries.write('w/batches', [row('a', 'newer')], true);
    expect(await entries.insert('w/batches', row('a', 'older'))).toBe(false);
    expect((await entries.all('w/batches')).map(({ key, value }) => [key, value])).toEqual([['a', 'newer']]);
    expect(await entries.insert('w/other', row('a', 'elsewhere'))).toBe(true);
    expect(await entries.count({ namespace: 'w/batches', owners: null })).toBe(1);
  });

  it('replaces and removes only what is there and unchanged', async () => {
    const { entries } = await open(await place());
    await entries.write('w/batches', [row('a', 'one')], true);
    expect(await entries.replace('w/batches', { key: 'a', value: 'other' }, row('a', 'two'))).toBe(false);
    const replaced = await Promise.all(
      ['two', 'three'].map((value) => entries.replace('w/batches', { key: 'a', value: 'one' }, row('a', value))),
    );
    expect(replaced.filter(Boolean)).toHaveLength(1);
    const removed = await Promise.all([1, 2, 3].map(() => entries.remove('w/batches', 'a', true)));
    expect(removed.filter(Boolean)).toHaveLength(1);
    expect(await entries.replace('w/batches', { key: 'a', value: 'two' }, row('a', 'four'))).toBe(false);
  });

  it('counts the records of each owner and pages through them both ways', async () => {
    const { entries } = await open(await place());
    const rows = Array.from({ length: 25 }, (_, index) => row(String(index).padStart(2, '0'), 'v', `o${index % 2}`));
    await entries.write('w/debtors', [...rows, row('none')], true);
    const whose = { namespace: 'w/debtors', owners: ['o0'] };
    expect(await entries.count(whose)).toBe(13);
    expect(await entries.count({ namespace: 'w/debtors', owners: null })).toBe(1);
    const first = await entries.page(whose, { isLatestFirst: true, most: 5 });
    expect(keysOf(first)).toEqual(['24', '22', '20', '18', '16']);
    const after = first.at(-1)!.position;
    expect(keysOf(await entries.page(whose, { isLatestFirst: true, after, most: 100 }))).toEqual([
      '14',
      '12',
      '10',
      '08',
      '06',
      '04',
      '02',
      '00',
    ]);
    expect(keysOf(await entries.page(whose, { isLatestFirst: false, after, most: 2 }))).toEqual(['18', '20']);
    await entries.write('w/debtors', [row('00', 'moved', 'o1')], true);
    await entries.remove('w/debtors', '02', true);
    const tallies = (await entries.tallies('w/debtors')).filter(({ count }) => count > 0);
    expect(new Map(tallies.map(({ owner, count }) => [owner, count]))).toEqual(
      new Map([
        ['', 1],
        ['o0', 11],
        ['o1', 13],
      ]),
    );
  });

  it('finds who holds a key, and the companies of one workspace alone, whatever their names', async () => {
    const { entries } = await open(await place());
    for (const namespace of ['w/batches', 'w/two/batches', 'w/xbatches', 'v/batches'])
      await entries.write(namespace, [row('b1')], true);
    expect(await entries.namespacesOf('batches', 'b1')).toEqual(['w/batches', 'w/two/batches', 'v/batches']);
    for (const workspace of ['w', 'w_', 'w%', 'w*', 'wx'])
      for (const scope of ['zz', 'aa']) await entries.write(`${workspace}/${scope}/settings`, [row('companyId')], true);
    for (const workspace of ['w', 'w_', 'w%', 'w*'])
      expect(await entries.settingsOf(workspace)).toEqual([`${workspace}/zz/settings`, `${workspace}/aa/settings`]);
    // Listed once, however many own a part of it.
    await entries.write('w/aa/settings', [row('owned', 'one', 'ada')], true);
    expect(await entries.settingsOf('w')).toEqual(['w/zz/settings', 'w/aa/settings']);
    await entries.clear([{ namespace: 'w/zz/settings', keys: ['companyId', 'other'] }, { namespace: 'w/batches' }]);
    expect(await entries.settingsOf('w')).toEqual(['w/aa/settings']);
    expect(await entries.namespacesOf('batches', 'b1')).toEqual(['w/two/batches', 'v/batches']);
    expect((await entries.settings()).map(({ place: at }) => at)).toContain('w_/zz/settings/companyId');
  });

  it('sets a record aside unless it has changed', async () => {
    const { entries } = await open(await place());
    await entries.write('w/batches', [row('a'), row('b')], true);
    const [a, b] = await entries.all('w/batches');
    await entries.write('w/batches', [row('b', 'mended')], true);
    for (const each of [a!, b!]) await entries.setAside('w/batches', each, 5);
    expect(keysOf(await entries.all('w/batches'))).toEqual(['b']);
    expect(await entries.aside('w')).toMatchObject([{ namespace: 'w/batches', key: 'a', at: 5 }]);
    expect([await entries.asideCount(), await entries.aside('v')]).toEqual([1, []]);
  });

  it('grants a claim to one of many callers, and keeps its answer', async () => {
    const { claims } = await open(await place());
    const states = await Promise.all(Array.from({ length: 20 }, () => claims.claim('w/write/k', 'print')));
    expect(states.filter((each) => each === undefined)).toHaveLength(1);
    const open_ = states.find((each) => each !== undefined)!;
    expect(open_).toMatchObject({ fingerprint: 'print', answer: null, isHeld: false });
    expect(Math.abs(open_.claimedAt - Date.now())).toBeLessThan(5000);
    await claims.finish('w/write/k', 'answer');
    await claims.release('w/write/unknown');
    expect(await claims.claim('w/write/k', 'other')).toMatchObject({ fingerprint: 'print', answer: 'answer' });
    await claims.claim('w/write/gone', 'print');
    await claims.release('w/write/gone');
    expect(await claims.claim('w/write/gone', 'print')).toBeUndefined();
  });

  it('keeps sessions until they end or are too old', async () => {
    const { sessions } = await open(await place());
    const since = { usedAt: 10, startedAt: 5 };
    await sessions.begin({ key: 's', value: 'v', startedAt: 6, usedAt: 20 });
    expect(await sessions.find('s', since)).toMatchObject({ key: 's', value: 'v', startedAt: 6, usedAt: 20 });
    expect(await sessions.find('s', { usedAt: 20, startedAt: 5 })).toBeUndefined();
    await sessions.use('s', 30);
    expect(await sessions.find('s', { usedAt: 29, startedAt: 5 })).toMatchObject({ usedAt: 30 });
    expect(await sessions.replace('s', 'other', 'w')).toBe(false);
    expect(await sessions.replace('s', 'v', 'w')).toBe(true);
    await sessions.begin({ key: 't', value: 'v', startedAt: 50, usedAt: 50 });
    await sessions.forget({ usedAt: 0, startedAt: 0 }, 40);
    expect([await sessions.find('t', since), await sessions.find('s', since)]).toEqual([
      undefined,
      expect.objectContaining({ value: 'w' }),
    ]);
    await sessions.end('s');
    expect(await sessions.find('s', since)).toBeUndefined();
  });

  it('has another version after each write to a workspace, and the same otherwise', async () => {
    const engine = await open(await place());
    const seen = new Set<string>();
    const another = async (write: () => Promise<unknown>) => {
      await write();
      const version = await engine.version('w');
      expect(await engine.version('w')).toBe(version);
      expect(seen).not.toContain(version);
      seen.add(version);
    };
    await another(() => Promise.resolve());
    await another(() => engine.entries.write('w/batches', [row('a')], true));
    await another(() => engine.entries.write('w/one/settings', [row('a'), row('b')], false));
    await another(() => engine.entries.write('w/batches', [row('a', 'changed')], true));
    await another(() => engine.entries.remove('w/batches', 'a', true));
    await another(() => engine.entries.clear([{ namespace: 'w/one/settings' }]));
    await another(() => engine.entries.write('w/batches', [row('b')], true));
    const [found] = await engine.entries.all('w/batches');
    await another(() => engine.entries.replace('w/batches', found!, row('b', 'replaced')));
    const [damaged] = await engine.entries.all('w/batches');
    await another(() => engine.entries.setAside('w/batches', damaged!, 0));
    const version = await engine.version('w');
    await engine.entries.write('w/timeline', [row('1')], false);
    await engine.entries.write('w2/batches', [row('a')], true);
    await engine.sessions.begin({ key: 's', value: 'v', startedAt: 0, usedAt: 0 });
    expect(await engine.version('w'), 'after the timeline, another workspace and a session').toBe(version);

    const ofNamespace = await engine.version('w/batches');
    await engine.entries.write('w/one/batches', [row('a')], true);
    expect(await engine.version('w/batches')).toBe(ofNamespace);
    await engine.entries.write('w/batches', [row('a')], true);
    expect(await engine.version('w/batches')).not.toBe(ofNamespace);
  });

  it('runs turns of one name one after the other, and tells of what they did once it is kept', async () => {
    const engine = await open(await place());
    const log: string[] = [];
    const add = (name: string) =>
      engine.inTurn('w counting', async () => {
        const found = await engine.entries.find('w/counts', 'n');
        await engine.entries.write('w/counts', [row('n', `${Number(found?.value ?? 0) + 1}`)], true);
        engine.afterwards(() => log.push(name));
      });
    await Promise.all(Array.from({ length: 10 }, (_, index) => add(`${index}`)));
    expect(await engine.entries.find('w/counts', 'n')).toMatchObject({ value: '10' });
    expect(log).toHaveLength(10);
    await expect(engine.inTurn('w counting', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await add('after a failure');
    expect(await engine.entries.find('w/counts', 'n')).toMatchObject({ value: '11' });
  });
});

it('more workspaces that change than are counted apart give all of them another version', () => {
  const changes = createChanges();
  changes.note(['w/batches']);
  const [before, other] = [changes.of('w'), changes.of('other')];
  changes.note(Array.from({ length: 20_000 }, (_, index) => `w${index}/batches`));
  expect(changes.of('w')).not.toBe(before);
  expect(changes.of('other')).not.toBe(other);
});
