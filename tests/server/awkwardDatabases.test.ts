import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConnections, PostgresError } from '#server/store/postgres/connections.ts';
import { whyNot } from '#server/store/postgres/fitting.ts';
import { openedEngine, row } from '#tests/support/engine.ts';
import { eventually } from '#tests/support/guided.ts';
import { openHole } from '#tests/support/hole.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';

const nameOf = (url: string) => new URL(url).pathname.slice(1);

function connected(url: string, errors: unknown[] = []) {
  const connections = createConnections(url, randomUUID(), (error) => errors.push(error));
  onTestFinished(() => connections.close());
  return connections;
}

/** How long (ms) it takes until this is rejected. */
async function rejectedAfter(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await expect(work).rejects.toBeInstanceOf(PostgresError);
  return performance.now() - begun;
}

describe('a database that no store can be in is refused', () => {
  it('behind a pooler that drops the settings of connections', async () => {
    const { url } = await openHole(await temporaryDatabase(), (first) =>
      Buffer.from(first.toString('latin1').replace('console.server', 'console.nobody'), 'latin1'),
    );
    await expect(openedEngine(url)).rejects.toThrow(
      'a pooler such as PgBouncer is in between, by which settings, locks and notices of connections are lost: give the database server itself',
    );
  });

  it.each([
    ['08P01', 'unsupported startup parameter: options', /^a pooler such as PgBouncer is in between/],
    ['42P05', 'prepared statement "s0" already exists', /^a pooler such as PgBouncer is in between/],
    ['28000', 'no pg_hba.conf entry', /^it refuses the user, give one that may connect, by TLS if/],
    ['57P03', 'the database system is starting up', /^it is starting, ending or recovering/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', /^its certificate cannot be verified, give its authority/],
    [undefined, 'The server does not support SSL connections', /^it has no TLS, /],
    [undefined, 'timeout exceeded when trying to connect', /^it does not answer, /],
    [undefined, 'Connection terminated due to connection timeout', /^it does not answer, /],
    ['XX000', 'tuple concurrently updated', /^it cannot be used \(The database refused a query: tuple/],
  ])('by the code %s or what is said: %s', (code, message, why) => {
    expect(whyNot(new PostgresError({ code, message }))).toMatch(why);
  });

  it('with an encoding that lacks letters', async () => {
    const url = await temporaryDatabase();
    const name = `latin_${nameOf(url)}`;
    await statement(url, `create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    onTestFinished(async () => void (await statement(url, `drop database ${name} with (force)`)));
    await expect(openedEngine(Object.assign(new URL(url), { pathname: name }).href)).rejects.toThrow(
      'its encoding is LATIN1, which has no sign for some letters',
    );
  });

  it('that can only be read, and one with no schema or with a table of ours that is not', async () => {
    const cases = [
      [`alter database $ set default_transaction_read_only = on`, 'it can only be read'],
      [`alter database $ set search_path = nowhere`, 'it has no schema to make tables in'],
      [`create view entries as select 1`, 'its tables are not those of this program'],
    ] as const;
    for (const [change, why] of cases) {
      const url = await temporaryDatabase();
      await statement(url, change.replace('$', nameOf(url)));
      await expect(openedEngine(url)).rejects.toThrow(why);
    }
  });
});

describe('a database that is used', () => {
  it('may isolate transactions more than the console asks for', async () => {
    const url = await temporaryDatabase();
    await statement(url, `alter database ${nameOf(url)} set default_transaction_isolation = serializable`);
    const { rows, transaction } = connected(url);
    const shown = 'show transaction_isolation';
    expect(await rows(shown)).toEqual([{ transaction_isolation: 'read committed' }]);
    expect(await transaction(() => rows(shown))).toEqual([{ transaction_isolation: 'read committed' }]);
  });

  it('may end idle connections, of which the log says little', async () => {
    const url = await temporaryDatabase();
    const errors: unknown[] = [];
    const { write } = connected(`${url}?options=-c%20idle_session_timeout%3D100`, errors);
    await write('select 1');
    await eventually(() => Promise.resolve(expect(errors).toHaveLength(1)));
    const line = JSON.stringify(pino.stdSerializers.err(errors[0] as Error)); // what the driver emits
    expect(line.length).toBeLessThan(5000);
    expect(line).not.toContain('console.server');
    expect(await write('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('may have few connections: what finds none waits for one', async () => {
    const url = await temporaryDatabase();
    await statement(url, `create role ${nameOf(url)} login password 'few' connection limit 3`);
    onTestFinished(() => statement(url, `drop role ${nameOf(url)}`).then(() => undefined));
    const { rows, transaction } = connected(
      Object.assign(new URL(url), { username: nameOf(url), password: 'few' }).href,
    );
    const work = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? rows('select pg_sleep(0.05)') : transaction(() => rows('select pg_sleep(0.05)')),
    );
    expect((await Promise.all(work)).flat()).toHaveLength(20);
  });

  it('may be replaced by an older copy, whose versions are then given anew', async () => {
    const url = await temporaryDatabase();
    const [here, there] = [await openedEngine(url), await openedEngine(url)];
    const read = () => here.asOne(async () => (await here.entries.all('w/batches')).map(({ value }) => value));
    const versions = () => here.asOne(async () => [await here.version('w'), await here.version('w/batches')]);
    await there.entries.write('w/batches', [row('a', 'copied')], true);
    const copied = await statement(
      url,
      'select (select version from versions), (select last_value from version_numbers)',
    );
    await there.entries.write('w/batches', [row('a', 'lost')], true);
    expect(await read()).toEqual(['lost']);
    const before = await versions();
    // As pg_restore --clean does it: the tables are made anew.
    await statement(
      url,
      `create table older (like versions including all);
       insert into older select namespace, ${Number(copied[0]!['version'])} from versions;
       drop table versions;
       alter table older rename to versions;
       select setval('version_numbers', ${Number(copied[0]!['last_value'])});`,
    );
    await there.entries.write('w/batches', [row('a', 'written anew')], true);
    expect(await read()).toEqual(['written anew']);
    const after = await versions();
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it('may stop answering: everybody is told so in time, and all goes on afterwards', async () => {
    const hole = await openHole(await temporaryDatabase());
    const { rows, write, transaction } = connected(hole.url);
    await write('create table kept (id integer)');
    await write('select 1');
    const under = transaction(async () => {
      await write('insert into kept values (1)');
      hole.swallow();
      await write('insert into kept values (2)');
    });
    const times = await Promise.all([
      rejectedAfter(under),
      rejectedAfter(rows('select 1')),
      rejectedAfter(write('select 1')),
      rejectedAfter(transaction(() => write('select 1'))),
    ]);
    expect(Math.max(...times)).toBeLessThan(14_000);
    hole.forward();
    expect(await rows('select count(*) from kept')).toEqual([{ count: 0 }]);
  }, 40_000);

  it('may stop answering: callers are limited all the same', async () => {
    const hole = await openHole(await temporaryDatabase());
    const engine = await openedEngine(hole.url);
    await engine.entries.write('w/batches', [row('a')], true);
    const take = engine.limit('requests', { perSecond: 1, burst: 2 });
    hole.swallow();
    const begun = performance.now();
    expect(await Promise.all([take('ann'), take('ann'), take('ann')])).toEqual([0, 0, expect.any(Number)]);
    expect(performance.now() - begun).toBeLessThan(3000);
    hole.forward();
  }, 40_000);
});
