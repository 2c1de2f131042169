import { createRequire, syncBuiltinESMExports } from 'node:module';
import type * as Crypto from 'node:crypto';
import type * as Timers from 'node:timers/promises';
import { createHash, sign, verify, KeyObject } from 'node:crypto';
import type { Scheduler } from './scheduler.ts';

const require = createRequire(import.meta.url);
const crypto = require('node:crypto') as { -readonly [Name in keyof typeof Crypto]: (typeof Crypto)[Name] };
const timers = require('node:timers/promises') as { -readonly [Name in keyof typeof Timers]: (typeof Timers)[Name] };
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

/** Signs and verifies RS256 in place: Node does so in other threads, which answer in any order. */
const inPlace = {
  sign: (_algorithm: unknown, key: CryptoKey, data: Uint8Array) =>
    Promise.resolve(Uint8Array.from(sign('RSA-SHA256', data, KeyObject.from(key))).buffer),
  verify: (_algorithm: unknown, key: CryptoKey, signature: Uint8Array, data: Uint8Array) =>
    Promise.resolve(verify('RSA-SHA256', data, KeyObject.from(key), signature)),
};

/**
 * Fixes what differs from one run to the next: random numbers, ids, time, pauses and the threads that sign. Returns a
 * function that undoes it.
 */
export function fix(scheduler: Scheduler): () => void {
  const bytes = seededBytes(`world ${scheduler.seed}`);
  const before = {
    crypto: { randomBytes: crypto.randomBytes, randomUUID: crypto.randomUUID, randomInt: crypto.randomInt },
    ...{ pause: timers.setTimeout, random: Object.getOwnPropertyDescriptor(Math, 'random')! },
  };
  const randomUUID = () => {
    const digits = bytes(16).toString('hex');
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}` as const;
  };
  crypto.randomBytes = ((size: number) => bytes(size)) as typeof Crypto.randomBytes; // nobody passes a callback
  crypto.randomUUID = randomUUID;
  crypto.randomInt = ((least: number, most?: number) =>
    most === undefined
      ? scheduler.between(0, least - 1)
      : scheduler.between(least, most - 1)) as typeof Crypto.randomInt; // likewise
  timers.setTimeout = (async (ms = 0, value?: unknown) => {
    await scheduler.wait(ms);
    return value;
  }) as typeof Timers.setTimeout; // no signal is passed
  syncBuiltinESMExports();
  Math.random = scheduler.random;
  const { subtle } = globalThis.crypto;
  const own = Object.fromEntries(Object.entries(inPlace).map(([name, value]) => [name, { value, configurable: true }]));
  Object.defineProperties(subtle, own);
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: randomUUID, configurable: true });
  performance.now = () => scheduler.now() - performance.timeOrigin;
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [number | string | Date]) {
      super(...((given.length === 0 ? [scheduler.now()] : given) as [number])); // one of the forms of Date
    }
    static override now = () => scheduler.now();
  } as DateConstructor; // it is called only with `new`
  return () => {
    Object.assign(crypto, before.crypto);
    timers.setTimeout = before.pause;
    syncBuiltinESMExports();
    Object.defineProperty(Math, 'random', before.random);
    Reflect.deleteProperty(performance, 'now');
    for (const name of Object.keys(inPlace)) Reflect.deleteProperty(subtle, name);
    Reflect.deleteProperty(globalThis.crypto, 'randomUUID');
    globalThis.Date = RealDate;
  };
}
