import { createRequire, syncBuiltinESMExports } from 'node:module';
import type * as Crypto from 'node:crypto';
import { createHash, sign, verify, KeyObject } from 'node:crypto';
import type { Scheduler } from './scheduler.ts';

const require = createRequire(import.meta.url);
const crypto = require('node:crypto') as { -readonly [Name in keyof typeof Crypto]: (typeof Crypto)[Name] };
const RealDate = Date;

/** Bytes that follow from a seed and how many were taken before. */
function seededBytes(seed: string) {
  let count = 0;
  return (size: number): Buffer => {
    const parts: Buffer[] = [];
    for (let have = 0; have < size; have += 32) {
      count += 1;
      parts.push(createHash('sha256').update(`${seed} ${count}`).digest());
    }
    return Buffer.concat(parts).subarray(0, size);
  };
}

/** Signs and verifies RS256, and hashes, in place: Node does so in other threads, which answer in any order. */
const inPlace = {
  sign: (_algorithm: unknown, key: CryptoKey, data: Uint8Array) =>
    Promise.resolve(Uint8Array.from(sign('RSA-SHA256', data, KeyObject.from(key))).buffer),
  verify: (_algorithm: unknown, key: CryptoKey, signature: Uint8Array, data: Uint8Array) =>
    Promise.resolve(verify('RSA-SHA256', data, KeyObject.from(key), signature)),
  digest: (algorithm: string | { name: string }, data: Uint8Array) => {
    const { name } = typeof algorithm === 'string' ? { name: algorithm } : algorithm;
    return Promise.resolve(Uint8Array.from(createHash(name.replace('-', '')).update(data).digest()).buffer);
  },
};

/** The files that call each other now, the innermost first. */
function callers(): (string | undefined)[] {
  const { stackTraceLimit } = Error;
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  Error.stackTraceLimit = 4;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? undefined);
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  if (before) Object.defineProperty(Error, 'prepareStackTrace', before);
  else Reflect.deleteProperty(Error, 'prepareStackTrace');
  return stack as unknown as (string | undefined)[]; // made above
}

/** Throws if code of the server asks `Date` for the time: it has a clock. */
function refuseServer(): void {
  const [, , , caller = ''] = callers();
  if (/\/server\/(?!clock\.ts)/.test(caller) && !caller.includes('node_modules'))
    throw new Error(`${caller} reads the time from Date instead of a clock`);
}

/**
 * Fixes what differs from one run to the next: random numbers, ids, time and the threads that sign. Returns a
 * function that undoes it. `watches`: whether `Date` refuses the server, which makes each use of it slower.
 */
export function fix(scheduler: Scheduler, watches: boolean): () => void {
  const bytes = seededBytes(`world ${scheduler.seed}`);
  const before = {
    crypto: { randomBytes: crypto.randomBytes, randomUUID: crypto.randomUUID, randomInt: crypto.randomInt },
    random: Object.getOwnPropertyDescriptor(Math, 'random')!,
  };
  const numbers = scheduler.of('numbers');
  const randomUUID = () => {
    const digits = bytes(16).toString('hex');
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}` as const;
  };
  crypto.randomBytes = ((size: number) => bytes(size)) as typeof Crypto.randomBytes; // nobody passes a callback
  crypto.randomUUID = randomUUID;
  crypto.randomInt = ((least: number, most?: number) =>
    most === undefined ? numbers.between(0, least - 1) : numbers.between(least, most - 1)) as typeof Crypto.randomInt; // likewise
  syncBuiltinESMExports();
  Math.random = numbers.random;
  const { subtle } = globalThis.crypto;
  const own = Object.fromEntries(Object.entries(inPlace).map(([name, value]) => [name, { value, configurable: true }]));
  Object.defineProperties(subtle, own);
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: randomUUID, configurable: true });
  const getRandomValues = (into: Uint8Array) => {
    into.set(bytes(into.length)); // pages ask for bytes only
    return into;
  };
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: getRandomValues, configurable: true });
  performance.now = () => scheduler.now() - performance.timeOrigin;
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [number | string | Date]) {
      if (watches && given.length === 0) refuseServer();
      super(...((given.length === 0 ? [scheduler.now()] : given) as [number])); // one of the forms of Date
    }
    static override now = () => {
      if (watches) refuseServer();
      return scheduler.now();
    };
  } as DateConstructor; // it is called only with `new`
  return () => {
    Object.assign(crypto, before.crypto);
    syncBuiltinESMExports();
    Object.defineProperty(Math, 'random', before.random);
    Reflect.deleteProperty(performance, 'now');
    for (const name of Object.keys(inPlace)) Reflect.deleteProperty(subtle, name);
    for (const name of ['randomUUID', 'getRandomValues']) Reflect.deleteProperty(globalThis.crypto, name);
    globalThis.Date = RealDate;
  };
}
