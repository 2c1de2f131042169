import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseError, postgresError } from '#server/storage/errors.ts';
import { addressOf } from '#server/storage/sqliteConnection.ts';
import { freePort } from '#tests/support/consoleProcess.ts';
import { openHole } from '#tests/support/tcpProxy.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import {
  collectionIn,
  engines,
  here,
  tamper,
  temporaryFile,
  testDatabase,
  testStorage,
} from '#tests/support/storage.ts';
import { temporaryFolder } from '#tests/support/store.ts';

/** The error with which a database is refused. */
async function refusal(url: string): Promise<DatabaseError> {
  try {
    await testStorage(url);
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseError);
    return error as DatabaseError; // just checked
  }
  return expect.unreachable();
}

describe.each(engines)('Opening a database on %s', (_, newDatabase) => {
  it('is refused if it holds foreign tables, which stay unchanged', async () => {
    const url = await newDatabase();
    const shared = url.startsWith('postgres');
    const path = url.slice('file:'.length);
    if (shared) await statement(url, 'create table orders (id integer)');
    else new Database(path).exec('create table orders (id integer)');
    const { code, why } = await refusal(url);
    expect(code).toBe('OTHER_TABLES');
    expect(why).toBe('it holds tables of something else (orders), give an empty database');
    const tables = shared
      ? await statement(url, `select tablename as name from pg_tables where schemaname = current_schema()`)
      : new Database(path).prepare(`select name from sqlite_master where type = 'table'`).all();
    expect(tables).toEqual([{ name: 'orders' }]);
  });

  it('is refused if a later version created it', async () => {
    const url = await newDatabase();
    await (await testStorage(url)).close();
    await tamper(
      url,
      `insert into console_migration (name, timestamp) values ('999 later', '2099-01-01T00:00:00.000Z')`,
    );
    const { code, why } = await refusal(url);
    expect(code).toBe('LATER_SCHEMA');
    expect(why).toBe(
      'it was made by a later version of the console (migration "999 later"), start that version or a later one',
    );
  });

  it('is refused if it belongs to a sandbox', async () => {
    const url = await newDatabase();
    await tamper(url, 'alter table console_migration rename to sandbox_migration');
    expect((await refusal(url)).why).toBe('it is the database of a sandbox, give the console one of its own');
  });
});

describe('Opening a database file', () => {
  // tests/server/ops/startFailure.test.ts has files that are no database, and damaged ones.
  it('is refused if it is a folder or its folder cannot be created', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'file'), '');
    expect((await refusal(`file:${join(folder, 'folder')}`)).why).toMatch(/^it cannot be used \(SQLITE_CANTOPEN/);
    expect((await refusal(`file:${join(folder, 'file', 'console.sqlite')}`)).why).toMatch(/^it cannot be used \(E/);
    if (process.platform === 'linux') expect((await refusal('file:/proc/some/console.sqlite')).code).toBe('ENOENT');
  });

  it.runIf(process.platform === 'linux')('is refused while another process uses it, whatever its path', async () => {
    const url = await temporaryFile();
    const path = url.slice('file:'.length);
    // This process must not have opened it: the driver keeps its lock until its statements are garbage-collected.
    const program = `
      import Database from 'libsql';
      const db = new Database(${JSON.stringify(addressOf(path))});
      db.exec('pragma journal_mode = wal; begin immediate; rollback');
      process.stdout.write('open');
      setInterval(() => db, 1000);`;
    const child = execFile(process.execPath, ['--input-type=module', '-e', program]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout!, 'data');
    const link = join(temporaryFolder(), 'link.sqlite');
    symlinkSync(path, link);
    for (const each of [path, link])
      expect(await refusal(`file:${each}`)).toMatchObject({
        code: 'SQLITE_BUSY',
        why: 'another process is using it, stop that process or give another file',
      });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await testStorage(url);
  });

  it('is refused if the URL names neither a file nor a database', async () => {
    for (const url of ['', 'file:', 'mysql://db/console', '/a/path'])
      expect((await refusal(url)).why).toBe('give file: and a path, or a PostgreSQL database');
  });
});

describe('Opening a PostgreSQL database', () => {
  const nameOf = (url: string) => new URL(url).pathname.slice(1);
  const changed = (url: string, parts: Partial<URL>) => Object.assign(new URL(url), parts).href;

  it('reports a wrong password, database, port or host, without the password', async () => {
    const url = await temporaryDatabase();
    for (const [parts, why] of [
      [{ password: 'not-the-password' }, 'it refuses the password, give the right one'],
      [{ pathname: '/nowhere' }, 'there is no such database, create it or give another one'],
      [{ port: String(await freePort()) }, 'nobody listens there, start the database or give another one'],
      [{ hostname: 'database.invalid' }, 'there is no such host, give another one'],
    ] as const) {
      const error = await refusal(changed(url, parts));
      expect(error.why).toBe(why);
      expect(error.database).toBe(new URL(changed(url, parts)).host + new URL(changed(url, parts)).pathname);
      expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/not-the-password|secret/);
    }
  });

  it('reports an invalid URL without any part of it', async () => {
    const { message } = await refusal('postgres://ann:s3cret%zz@db/console');
    expect(message).toMatch(/^the database: give a PostgreSQL database, such as /);
    expect(message).not.toContain('s3cret');
  });

  it('is refused behind a pooler that drops connection settings', async () => {
    const { url } = await openHole(await temporaryDatabase(), (first) =>
      Buffer.from(first.toString('latin1').replace('console.server', 'console.nobody'), 'latin1'),
    );
    expect((await refusal(url)).why).toMatch(/^a pooler such as PgBouncer is in between, /);
  });

  it('is refused if its encoding is not UTF-8', async () => {
    const url = await temporaryDatabase();
    const name = `latin_${nameOf(url)}`;
    await statement(url, `create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    onTestFinished(async () => void (await statement(url, `drop database ${name} with (force)`)));
    expect((await refusal(changed(url, { pathname: name }))).why).toMatch(/^its encoding is LATIN1, /);
  });

  it('is refused if it is read-only, has no schema, or has a view with the name of a table', async () => {
    for (const [change, why] of [
      [`alter database $ set default_transaction_read_only = on`, 'it can only be read, '],
      [`alter database $ set search_path = nowhere`, 'it has no schema to make tables in, '],
      [`create view records as select 1`, 'it holds tables of something else (records), '],
    ] as const) {
      const url = await temporaryDatabase();
      await statement(url, change.replace('$', nameOf(url)));
      expect((await refusal(url)).why.startsWith(why)).toBe(true);
    }
  });

  it.each([
    ['08P01', 'unsupported startup parameter: options', /^a pooler such as PgBouncer is in between/],
    ['28000', 'no pg_hba.conf entry', /^it refuses the user, give one that may connect, by TLS if/],
    ['57P03', 'the database system is starting up', /^it is starting, ending or recovering/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', /^its certificate cannot be verified, give its authority/],
    [undefined, 'The server does not support SSL connections', /^it has no TLS, /],
    [undefined, 'timeout exceeded when trying to connect', /^it does not answer, /],
    ['55P03', 'timeout', /^another program is making its tables or copying a store into it, wait until that is done/],
    ['XX000', 'tuple concurrently updated', /^it cannot be used \(tuple concurrently updated\)/],
  ])('explains an error by its code %s or its message: %s', (code, message, why) => {
    expect(postgresError('db', { code, message }).why).toMatch(why);
  });

  it('by several servers at once creates its tables once', async () => {
    const url = await temporaryDatabase();
    const all = await Promise.all(Array.from({ length: 4 }, () => testStorage(url)));
    const notes = all.map((storage) =>
      collectionIn<string>(storage, { kind: 'notes', columns: { subject: (note) => note } }),
    );
    await notes[0]!.put(here, 'one', 'note');
    // All of them use the same index key.
    for (const each of notes) expect(await each.count(here, { subject: 'note' })).toBe(1);
  });
});

describe('A database in memory', () => {
  it('stores records like a file, separately from others in memory', async () => {
    const storage = await testStorage('file::memory:');
    const notes = collectionIn<string>(storage, { kind: 'notes' });
    await notes.put(here, 'one', 'note');
    expect(await notes.get(here, 'one')).toBe('note');
    await storage.assertWritable();
    const other = await testStorage('file::memory:');
    expect(await collectionIn<string>(other, { kind: 'notes' }).get(here, 'one')).toBeUndefined();
  });
});

describe('The tables of a database file', () => {
  it('are opened without a key, repeatedly', async () => {
    const url = await temporaryFile();
    for (let times = 0; times < 2; times += 1) await (await testDatabase(url)).close();
  });
});
