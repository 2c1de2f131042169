import type { Facts } from '#contract/facts.ts';
import type { FaultRule } from '#contract/controlShapes.ts';
import type { SettingKey, Settings } from '#contract/settings.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { faultOf } from '#rules/timeline.ts';
import type { Lab } from '#runner/rehearse.ts';
import { rule } from '#runner/situations.ts';
import { call } from '../client/client.ts';
import { withLabEvent } from '../client/recordEvents.ts';
import { makeCurrent } from './company.ts';

/**
 * The lab for a rehearsal in the page, where nobody visits a provider's page: unless the rehearsal sets its own rule
 * for that, the lab approves everything that awaits its user.
 */
export function pageLab(): Lab & { end: () => Promise<unknown> } {
  const approval = rule('authorisation', 'any', { kind: 'approve', ms: 0 }, 'always');
  let approving = '';
  const set = async (given: FaultRule) => (await withLabEvent(call('setFault', { body: given }))).data;
  return {
    async set(given) {
      if (given.on === 'authorisation' && approving !== '') {
        await call('removeFault', { params: { ruleId: approving } });
        approving = '';
      }
      return set(given);
    },
    rules: async () => (await call('getLab', {})).data.rules.filter(({ ruleId }) => ruleId !== approving),
    async stop() {
      await withLabEvent(call('stopFaults', {}));
      approving = (await set(approval)).ruleId;
    },
    batches: async () => (await call('getLabBatches', {})).data,
    webhooks: async () => (await call('getLabWebhooks', {})).data,
    async move(ms) {
      await withLabEvent(call('changeClock', { body: { move: ms } }));
    },
    async resetClock() {
      await withLabEvent(call('resetClock', {}));
    },
    async everyDay() {
      await withLabEvent(call('changeClock', { body: { everyDay: true } }));
    },
    end: () => withLabEvent(call('stopFaults', {})),
  };
}

/** The settings that a rehearsal changes. */
const changed = ['providerCountry', 'fileFormatCountry', 'acceptLanguage'] as const satisfies SettingKey[];

/** Makes the company that a rehearsal found the current one again, with the settings that it found. */
export async function restore({ settings: found }: Facts): Promise<void> {
  if (found.organisationId !== '') await makeCurrent(found);
  await restoreSettings(found);
}

/** Returns what restores the settings as they are now. */
export async function settingsFromHere(): Promise<() => Promise<void>> {
  const found = await call('getSettings', {});
  return () => restoreSettings(found);
}

/** Restores the settings that a rehearsal has changed, but none that was not chosen. */
async function restoreSettings(found: Settings): Promise<void> {
  const now = await call('getSettings', {});
  for (const key of changed) {
    const value = found[key];
    if (value !== '' && value !== now[key]) await call('setSetting', { body: { key, value } });
  }
}

/** The entry whose sequence shows what happened: the latest one with a fault, else the latest write. */
const telling = (entries: readonly TimelineEntry[]): TimelineEntry | undefined =>
  entries.find((entry) => faultOf(entry) !== '') ??
  entries.find(({ kind, method }) => kind === 'service' && method !== 'GET');

const recorded = async (limit: string): Promise<TimelineEntry[]> =>
  (await call('getTimeline', { query: { kind: 'service,webhook', reads: 'false', limit } })).data;

/** Notes the place in the timeline; returns what finds the address of the sequence of what happened since. */
export async function sequenceFromHere(): Promise<() => Promise<string>> {
  const before = (await recorded('1'))[0]?.id ?? '0';
  return async () => sequenceOf((await recorded('200')).filter(({ id }) => Number(id) > Number(before)));
}

/** The address of the sequence that shows what happened; the timeline if nothing is recorded. */
function sequenceOf(entries: readonly TimelineEntry[]): string {
  const entry = telling(entries);
  return `/timeline${entry ? `?${new URLSearchParams({ entry: entry.id, view: 'sequence' }).toString()}` : ''}`;
}
