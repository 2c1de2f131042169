import { randomUUID } from 'node:crypto';
import type { Clock } from '#server/clock.ts';
import type { Tenant } from './application.ts';
import { createControl } from './control.ts';
import { credentialsOf } from './credentials.ts';
import type { createApplications } from './applications.ts';
import type { Settings } from './options.ts';
import { createRecordBudget } from './records/budget.ts';
import { createRecorder, unrecordedHeader } from './records/recorder.ts';
import { applicationIds, seededIds } from './seeded.ts';
import type { SandboxStore } from './store/sandboxStore.ts';

/** Maximum memory (bytes) of all recorded calls and webhooks of a sandbox; beyond it the oldest are dropped. */
const mostMemory = 64 * 1024 * 1024;

interface Deps {
  settings: Settings;
  store: SandboxStore;
  /** The URL at which the sandbox is called, and the one at which browsers reach it. */
  url: string;
  publicUrl: string;
  applications: Pick<ReturnType<typeof createApplications>, 'find'>;
  /** Calls the sandbox within the process. */
  fetch: (request: string, init: RequestInit) => Promise<Response>;
}

/** Returns a function that returns the tenant of an application's name, made when it is first asked for. */
export function createTenants({ settings, store, url, publicUrl, applications, fetch }: Deps) {
  const { seed, secret, start, machineClock, webhookUrl, recorded, longestRecorded, isOwn, addressesOf } = settings;
  /** Only calls of this process can carry it. */
  const unrecorded = randomUUID();
  const budget = createRecordBudget(mostMemory);
  const tenants = new Map<string, Tenant>();

  /** With the times of a stopped clock, records are the same each time. */
  const recordClockOf = (name: string): Pick<Clock, 'now' | 'steady'> =>
    start === undefined
      ? machineClock
      : { now: () => applications.find(name).clock.now(), steady: () => applications.find(name).clock.steady() };

  function make(name: string): Tenant {
    const credentials = credentialsOf(secret, name);
    const ids = applicationIds(name, settings.newId ? undefined : seed, settings.newId ?? randomUUID);
    const newId = ids.next;
    // Not `newId`: the ids of resources must not depend on how often a program polls.
    const newInteractionId = seed === undefined ? randomUUID : seededIds(`${seed} ${name} interactions`).next;
    const recorder = createRecorder({
      maximum: recorded,
      longest: longestRecorded,
      budget,
      unrecorded,
      isOwn,
      addressesOf,
      clock: recordClockOf(name),
      onCall: (call) => settings.onCall(call, name),
      url: publicUrl + credentials.path,
    });
    const control = createControl({
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
      fetch: (path, init) => fetch(path, { ...init, headers: { ...init.headers, [unrecordedHeader]: unrecorded } }),
    });
    return { credentials, newId, newInteractionId, recorder, control };
  }

  return (name: string): Tenant => {
    const tenant = tenants.get(name) ?? make(name);
    tenants.set(name, tenant);
    return tenant;
  };
}
