import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  connectionSettings,
  displayUrl,
  faultOf,
  isSharedUrl,
  passwordIn,
  poolSize,
} from '#server/storage/databaseUrl.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const settings = (url: string) => connectionSettings(url, '-c console.server=x');

const sentence = (url: string): string => faultOf(url) ?? '';

describe('The URL of a database', () => {
  it.each([
    ['postgres://ann:s3cret@db.example.com/console', { host: 'db.example.com', user: 'ann', password: 's3cret' }],
    ['postgresql://ann@db/console', { host: 'db', user: 'ann' }],
    ['POSTGRES://db:6543/console', { host: 'db', port: 6543 }],
    ['postgres://ann:%25%40%2F%23%3F%3A%C3%A9%20%26@db/console', { password: '%@/#?:é &' }],
    ['postgres://ann:a@b@db/console', { host: 'db', password: 'a@b' }],
    ['postgres://[::1]:5433/console', { host: '::1', port: 5433 }],
    ['postgres://ann@%2Fvar%2Frun%2Fpostgresql/console', { host: '/var/run/postgresql' }],
    ['postgres://db/the%20console', { host: 'db', database: 'the console' }],
  ])('gives host, port, user, password and database: %s', (url, expected) => {
    expect(isSharedUrl(url)).toBe(true);
    expect(faultOf(url)).toBeUndefined();
    expect(settings(url)).toMatchObject({ database: 'console', ssl: false, ...expected });
  });

  it('may have options, to which the console’s are appended', () => {
    expect(settings('postgres://db/console?options=-c%20search_path%3Down&application_name=one')).toMatchObject({
      options: '-c search_path=own -c console.server=x',
      application_name: 'one',
    });
  });

  it('may limit the connections of a server from 5 to 1,000, of which one is reserved for notifications', () => {
    expect(['', '?connections=5'].map((given) => poolSize(`postgres://db/console${given}`))).toEqual([24, 4]);
    for (const wrong of ['4', '1001', 'few', '5.5', ''])
      expect(sentence(`postgres://db/console?connections=${wrong}`)).toBe(
        'give as connections a whole number from 5 to 1000',
      );
  });

  it.each([
    ['require', { rejectUnauthorized: true }],
    ['verify-ca', { rejectUnauthorized: true }],
    ['verify-full', { rejectUnauthorized: true }],
    ['no-verify', { rejectUnauthorized: false }],
    ['disable', false],
  ])('configures encryption and verification by sslmode=%s', (mode, ssl) => {
    expect(settings(`postgres://db/console?sslmode=${mode}`).ssl).toEqual(ssl);
  });

  it('may name a certificate file for TLS', () => {
    const path = join(temporaryFolder(), 'a.crt');
    writeFileSync(path, 'certificate');
    const url = `postgres://db/console?sslrootcert=${encodeURIComponent(path)}`;
    expect(faultOf(url)).toBeUndefined();
    expect(settings(url).ssl).toEqual({ rejectUnauthorized: true, ca: 'certificate' });
  });

  it.each([
    // A password that begins with a number and contains a slash.
    'postgres://ann:12/s3cret@db/console',
    'postgres://ann:s3/cret@db/console',
    'postgres://ann:12#s3cret@db/console',
    'postgres://ann:12/a#s3cret@db/console',
    'postgres://ann:s3cret%@db/console',
    'postgres://ann:s3cret%zz@db/console',
    'postgres://ann:s3cret x@db/console',
    'postgres://ann:s3cret@db',
    'postgres://ann:s3cret@db/',
    'postgres://ann:s3cret@db:99999/console',
    'postgres://ann:s3cret@db:5432,other:5432/console',
    'postgres://ann:s3cret@db/%zz',
  ])('that is invalid is refused with a sentence that contains no part of it: %s', (url) => {
    expect(sentence(url)).toBe(
      'give a PostgreSQL database, such as postgres://user:password@host/console, in whose parts @ : / ? # % and spaces are encoded, %40 for @',
    );
  });

  it.each(['foo=s3cret', 'sslmode=require&sslmode=disable', 'statement_timeout=1', 'host=/tmp&password=s3cret'])(
    'with unknown or repeated parameters is refused: %s',
    (parameters) => {
      expect(sentence(`postgres://db/console?${parameters}`)).toBe(
        'after ? a PostgreSQL database takes nothing but connections, sslmode, sslrootcert, sslcert, sslkey, options, application_name, each of them once',
      );
    },
  );

  it('with an sslmode that allows no encryption or an unreadable certificate file is refused', () => {
    for (const mode of ['prefer', 'allow', 'on'])
      expect(sentence(`postgres://db/console?sslmode=${mode}`)).toMatch(/^give as sslmode verify-/);
    expect(sentence('postgres://db/console?sslcert=/nowhere/a.crt')).toBe(
      'the file named by sslcert cannot be read (ENOENT), give one that can',
    );
  });

  it('is displayed without user and password', () => {
    expect(displayUrl('postgres://ann:s3cret@db:6543/console?sslmode=disable')).toBe('db:6543/console');
  });

  it('has a password that is masked encoded and decoded', () => {
    expect(passwordIn('postgres://ann:a%40b@db/console')).toEqual(['a@b', 'a%40b']);
    expect(passwordIn('postgres://db/console')).toEqual([]);
  });
});
