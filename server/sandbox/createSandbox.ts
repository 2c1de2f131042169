import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { systemClock, type Clock } from '#server/clock.ts';
import { isLoopback, localUrl } from '#server/http/networks.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import type { AcceptLoss } from '#server/storage/errors.ts';
import { fetchWithin } from '#server/http/inProcess.ts';
import type { Sandbox, SandboxOptions } from './api.ts';
import { createApplication, type ApplicationDeps } from './application.ts';
import { createApplications } from './applications.ts';
import { catalogue as usualCatalogue } from './catalogue/index.ts';
import { sandboxDefaults, type SandboxConfig } from './config.ts';
import { createControl, type Control } from './control.ts';
import { applicationAt, credentialsOf, defaultApplication } from './credentials.ts';
import { interfaceOf } from './interface.ts';
import { tokenKey } from './onboarding/tokens.ts';
import type { RecordedApplication } from './recorded.ts';
import { createRecordBudget } from './records/budget.ts';
import {
  createRecorder,
  unrecordedHeader,
  type AnsweredCall,
  type CallIdentity,
  type RecorderOptions,
} from './records/recorder.ts';
import { applicationIds, seededIds, seededKey } from './seeded.ts';
import { header } from '#server/upstream/wire.ts';
import { openSandboxStore, type SandboxStore } from './store/sandboxStore.ts';
import { applicationsWithJobs, openTenantStore } from './store/tenantStore.ts';
import { postOverHttp } from './webhooks/transport.ts';

/** What the console and the command line set besides; each has a default for tests. */
export interface ConsoleOptions extends Partial<
  Pick<ApplicationDeps, 'catalogue' | 'newId' | 'log' | 'transport' | 'metrics'> &
    Pick<RecorderOptions, 'isOwn' | 'addressesOf'>
> {
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

/** A sandbox, with what the console and the command line need besides. */
interface ConsoleSandbox extends Sandbox {
  /** Whether no application has work in progress. */
  isSettled: () => boolean;
  recordsOf: (application: string) => Promise<RecordedApplication>;
  /** As the recorder's, for a call whose path is below the sandbox's URL. */
  takeFault: (call: CallIdentity) => string;
}

/** Maximum memory (bytes) of all recorded calls and webhooks of a sandbox; beyond it the oldest are dropped. */
const mostMemory = 64 * 1024 * 1024;
/** The time at which the clock of a sandbox with a seed begins. */
const seededStart = '2026-01-01T00:00:00.000Z';
/** The URL of a sandbox without a port, which only calls within the process reach. */
const inProcessUrl = 'http://localhost';

/** Reads the key that signs all tokens, and the applications with pending jobs. Closes the store if that fails. */
async function readStart(store: SandboxStore, isSeeded: boolean) {
  try {
    const key = isSeeded ? seededKey : await tokenKey(openTenantStore(store, defaultApplication));
    return { key, waiting: await applicationsWithJobs(store) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const clockIn = ({ seed, clock = seed === undefined ? 'running' : 'stopped' }: SandboxOptions) => clock;

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
  'catalogue' as const,
  'newId' as const,
  'log' as const,
  'transport' as const,
  'metrics' as const,
  'isOwn' as const,
  'addressesOf' as const,
  'machineClock' as const,
  'secret' as const,
  'storeUrl' as const,
  'config' as const,
  'recorded' as const,
  'longestRecorded' as const,
  'labChanged' as const,
  'acceptLoss' as const,
  'onCall' as const,
];
const optionNames: readonly string[] = [...publicOptions, ...ownOptions];

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

/**
 * Creates a sandbox: the service in a box, for tests in the same process and for programs that call its port. Each
 * application has its own service, at its own path; the interface returned is that of the default one. Rejects with
 * Node's error if the port is in use, with SandboxStoreError if the store cannot be used, and with an Error that names a
 * wrong option.
 */
export async function createSandbox(options: SandboxOptions & ConsoleOptions = {}): Promise<ConsoleSandbox> {
  requireOptions(options);
  const { seed, data = ':memory:', host = '127.0.0.1', port, webhookUrl = '', recorded = 10_000 } = options;
  const { labChanged = () => undefined, onCall = () => undefined, longestRecorded } = options;
  const { isOwn = () => false, addressesOf = () => undefined } = options;
  const {
    secret = seed === undefined ? randomBytes(32).toString('base64') : `seed ${seed}`,
    storeUrl = `file:${data === ':memory:' ? data : join(data, 'sandbox.sqlite')}`,
    machineClock = systemClock,
    log = pino({ level: 'silent' }),
    catalogue = usualCatalogue,
    transport = postOverHttp,
  } = options;
  const start = startOf(options, machineClock);
  const store = await openSandboxStore(storeUrl, { clock: machineClock, log, acceptLoss: options.acceptLoss });
  const { key, waiting } = await readStart(store, seed !== undefined);
  const server =
    port === undefined
      ? undefined
      : createHttpServer(undefined, undefined, undefined, undefined, () => ({
          [header.interaction]: randomUUID(), // that of the request cannot be read
        })).listen(port, host);
  if (server)
    await once(server, 'listening').catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
  // The application needs the port for its links, and it is known only now.
  const address = server?.address() as AddressInfo | undefined; // listening on a port, not a pipe
  const url = address ? localUrl(host, address.port) : inProcessUrl;
  const publicUrl = options.config?.publicUrl ?? url;

  const handle: RequestListener = (request, response) => {
    const { name, rest } = applicationAt(secret, request.url ?? '/');
    request.url = rest;
    applications.handle(name, request, response);
  };
  const within = fetchWithin(handle, url);
  /** Only calls of this process can carry it. */
  const unrecorded = randomUUID();
  const controls = new Map<string, ReturnType<typeof controlled>>();
  const budget = createRecordBudget(mostMemory);

  /** The records and the control of an application, which stay when the application is replaced. */
  function controlled(name: string) {
    const credentials = credentialsOf(secret, name);
    const ids = applicationIds(name, options.newId ? undefined : seed, options.newId ?? randomUUID);
    const newId = ids.next;
    // Not `newId`: the ids of resources must not depend on how often a program polls.
    const newInteractionId = seed === undefined ? randomUUID : seededIds(`${seed} ${name} interactions`).next;
    /** With the times of a stopped clock, records are the same each time. */
    const clock =
      start === undefined
        ? machineClock
        : { now: () => applications.find(name).clock.now(), steady: () => applications.find(name).clock.steady() };
    const recorder = createRecorder({
      maximum: recorded,
      longest: longestRecorded,
      budget,
      unrecorded,
      isOwn,
      addressesOf,
      clock,
      onCall: (call) => onCall(call, name),
      url: publicUrl + credentials.path,
    });
    const control: Control = createControl({
      credentials,
      url,
      webhookUrl,
      store,
      recorder,
      newId,
      machineClock,
      ids,
      application: () => applications.find(name),
      renew: async (fill) => {
        await applications.find(name).empty();
        await fill();
        await applications.find(name).start();
      },
      fetch: (path, init) => within(path, { ...init, headers: { ...init.headers, [unrecordedHeader]: unrecorded } }),
    });
    return { credentials, newId, newInteractionId, recorder, control };
  }
  function controlOf(name: string) {
    const known = controls.get(name) ?? controlled(name);
    controls.set(name, known);
    return known;
  }

  const applications = createApplications(
    (name, replace) => {
      const { credentials, newId, newInteractionId, recorder, control } = controlOf(name);
      const tenantStore = openTenantStore(store, name);
      const empty = async () => {
        await tenantStore.empty();
        replace();
      };
      const application = createApplication({
        catalogue,
        newId,
        newInteractionId,
        log,
        credentials,
        key,
        transport,
        metrics: options.metrics,
        inTurn: seed !== undefined,
        empty: control.empty,
        clock: machineClock,
        start,
        store: tenantStore,
        config: {
          ...sandboxDefaults,
          everyDay: options.everyDay ?? sandboxDefaults.everyDay,
          ...options.config,
          publicUrl: publicUrl + credentials.path,
          webhookUrl,
          isProxied: !isLoopback(new URL(publicUrl).hostname),
        },
        labChanged: () => labChanged(name),
        recorder,
        control,
        credentialsFor: (other) => controlOf(other).credentials,
      });
      const callback = application.app.callback();
      return {
        ...application,
        empty,
        handle: ((request, response) => void callback(request, response)) satisfies RequestListener,
      };
    },
    { clock: machineClock, log },
  );
  server?.on('request', handle);
  waiting.forEach(applications.wake);
  store.onTakenBack(() => {
    applications.restart();
    applicationsWithJobs(store)
      .then((names) => names.forEach(applications.wake))
      .catch((error: unknown) => log.error({ err: error }, 'the sandbox cannot read its store'));
  });

  async function close(): Promise<void> {
    const ended = server && once(server, 'close');
    server?.close();
    await applications.stop();
    // A client that keeps its connection open, or waits for an answer that is withheld, would keep the sandbox open.
    server?.closeAllConnections();
    await Promise.all([within.close(), ended]);
    await store.close();
  }
  async function recordsOf(name: string): Promise<RecordedApplication> {
    const { recorder, control } = controlOf(name);
    const calls = recorder.calls();
    return { calls, webhooks: recorder.webhooks(), batches: calls.length === 0 ? [] : await control.batches() };
  }
  const { credentials, recorder, control } = controlOf(defaultApplication);
  const sandbox = interfaceOf({
    url,
    credentials,
    recorder,
    control,
    within,
    close,
    application: () => applications.find(defaultApplication),
  });
  const takeFault = ({ path, ...call }: CallIdentity): string => {
    const { name, rest } = applicationAt(secret, path);
    return controlOf(name).recorder.takeFault({ ...call, path: rest });
  };
  return { ...sandbox, isSettled: applications.isSettled, recordsOf, takeFault };
}
