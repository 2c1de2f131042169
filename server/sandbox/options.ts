import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { systemClock, type Clock } from '#server/clock.ts';
import type { SandboxMetrics } from '#server/http/observeRequests.ts';
import type { AcceptLoss } from '#server/storage/errors.ts';
import type { SandboxOptions } from './api.ts';
import { catalogue } from './catalogue/index.ts';
import type { Catalogue } from './catalogue/types.ts';
import type { SandboxConfig } from './config.ts';
import type { AnsweredCall, RecorderOptions } from './records/recorder.ts';
import { postOverHttp, type WebhookTransport } from './webhooks/transport.ts';

/** What the console and the command line set besides; each has a default for tests. */
export interface ConsoleOptions extends Partial<Pick<RecorderOptions, 'isOwn' | 'addressesOf'>> {
  catalogue?: Catalogue;
  newId?: () => string;
  log?: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  /** Carries webhooks to their receivers. */
  transport?: WebhookTransport;
  /** Absent if nothing is measured. */
  metrics?: SandboxMetrics | undefined;
  /** The clock on which the sandbox's own is based, and by which it records. */
  machineClock?: Clock;
  /** The secret from which the credentials of all applications are derived. */
  secret?: string;
  /** The URL of the PostgreSQL database that is used instead of the file. */
  storeUrl?: string | undefined;
  /** Overrides of sandboxDefaults; publicUrl, without a path, defaults to the URL at which the sandbox listens. */
  config?: Partial<Omit<SandboxConfig, 'webhookUrl' | 'isProxied'>>;
  /** The maximum number of calls and of webhooks that are recorded for each application, within `mostMemory`. */
  recorded?: number;
  /** The maximum length of a recorded body; a longer one is left out. */
  longestRecorded?: number;
  /** Called after each change of the fault lab's rules, clock or second receiver, with the application's name. */
  labChanged?: (application: string) => void;
  /** Accepts that the file lacks what was stored; by default no loss is accepted. */
  acceptLoss?: AcceptLoss | undefined;
  /** Called with each call of a program that has ended, and the name of its application. */
  onCall?: (call: AnsweredCall, application: string) => void;
}

type Options = SandboxOptions & ConsoleOptions;

/** The time at which the clock of a sandbox with a seed begins. */
const seededStart = '2026-01-01T00:00:00.000Z';

/** The options of programs and their tests, and those of the console besides. */
const publicOptions: readonly (keyof SandboxOptions)[] = [
  'port',
  'host',
  'seed',
  'clock',
  'now',
  'everyDay',
  'data',
  'webhookUrl',
];
const ownOptions: readonly (keyof ConsoleOptions)[] = [
  'catalogue',
  'newId',
  'log',
  'transport',
  'metrics',
  'isOwn',
  'addressesOf',
  'machineClock',
  'secret',
  'storeUrl',
  'config',
  'recorded',
  'longestRecorded',
  'labChanged',
  'acceptLoss',
  'onCall',
];
const optionNames: readonly string[] = [...publicOptions, ...ownOptions];

const clockIn = ({ seed, clock = seed === undefined ? 'running' : 'stopped' }: SandboxOptions) => clock;

/** Throws if an option of a caller without types is not as declared. */
function requireOptions(options: SandboxOptions): void {
  if (typeof (options as unknown) !== 'object' || (options as unknown) === null)
    throw new Error(`The options are ${JSON.stringify(options)}: give an object, or leave them out`);
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown} is no option: there are ${publicOptions.join(', ')}`);
  const { seed, now, port = 0, webhookUrl = '' } = options;
  const clock = clockIn(options);
  if (seed !== undefined && !Number.isInteger(seed)) throw new Error(`seed is ${seed}: give a whole number`);
  if (now !== undefined && Number.isNaN(Date.parse(now)))
    throw new Error(`now is ${JSON.stringify(now)}: give a time such as ${seededStart}`);
  if (!['running', 'stopped'].includes(clock)) throw new Error(`clock is ${clock}: give running or stopped`);
  if (!['undefined', 'boolean'].includes(typeof options.everyDay))
    throw new Error(`everyDay is ${JSON.stringify(options.everyDay)}: give true or false, or leave it out`);
  if (now !== undefined && clock === 'running')
    throw new Error('now is the time of a stopped clock: give clock: stopped or a seed, or leave now out');
  if (webhookUrl !== '' && !(URL.canParse(webhookUrl) && /^https?:$/.test(new URL(webhookUrl).protocol)))
    throw new Error(`webhookUrl is ${JSON.stringify(webhookUrl)}: give an http or https URL, or leave it out`);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`port is ${port}: give a number from 0 to 65535, 0 for any free port`);
}

/** Returns the time at which the clock of a sandbox is stopped at first; undefined if it runs. */
function startOf(options: SandboxOptions, machineClock: Pick<Clock, 'now'>) {
  const { seed, now } = options;
  if (clockIn(options) === 'running') return undefined;
  return now === undefined && seed === undefined ? machineClock.now() : Date.parse(now ?? seededStart);
}

/** Returns the options with their defaults, and `start`, at which the clock is stopped at first. Throws an Error that names a wrong option. */
export function settingsOf(options: Options) {
  requireOptions(options);
  const { seed, data = ':memory:', machineClock = systemClock } = options;
  return {
    ...options,
    host: options.host ?? '127.0.0.1',
    webhookUrl: options.webhookUrl ?? '',
    recorded: options.recorded ?? 10_000,
    labChanged: options.labChanged ?? (() => undefined),
    onCall: options.onCall ?? (() => undefined),
    isOwn: options.isOwn ?? (() => false),
    addressesOf: options.addressesOf ?? (() => undefined),
    secret: options.secret ?? (seed === undefined ? randomBytes(32).toString('base64') : `seed ${seed}`),
    storeUrl: options.storeUrl ?? `file:${data === ':memory:' ? data : join(data, 'sandbox.sqlite')}`,
    log: options.log ?? pino({ level: 'silent' }),
    catalogue: options.catalogue ?? catalogue,
    transport: options.transport ?? postOverHttp,
    machineClock,
    start: startOf(options, machineClock),
  };
}

export type Settings = ReturnType<typeof settingsOf>;
