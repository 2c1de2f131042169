import { useMemo, useSyncExternalStore } from 'react';
import type { FaultRule } from '#contract/labShapes.ts';
import { bringAbout, rehearse, type Lab } from '#walk/rehearse.ts';
import type { Scenario } from '#walk/scenarios.ts';
import { rule, situations, type SituationId } from '#walk/situations.ts';
import { call } from '../client.ts';
import { told } from '../ports/lab.ts';
import type { ConsoleActor } from '../running.ts';
import { shared } from '../storage.ts';
import { perform, type Go } from './play.ts';
import type { Playing } from './slot.ts';

/**
 * The lab for a rehearsal in the page, where nobody visits a provider's page: what awaits its user is approved by the
 * lab, unless the rehearsal has a rule of its own for that.
 */
function pageLab(): Lab & { end: () => Promise<unknown> } {
  const approval = rule('authorisation', 'any', { kind: 'approve', ms: 0 }, 'always');
  let approving = '';
  const set = async (given: FaultRule) => (await told(call('setFault', { body: given }))).data;
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
      await told(call('stopFaults', {}));
      approving = (await set(approval)).ruleId;
    },
    batches: async () => (await call('getLabBatches', {})).data,
    webhooks: async () => (await call('getLabWebhooks', {})).data,
    async move(ms) {
      await told(call('changeClock', { body: { move: ms } }));
    },
    async resetClock() {
      await told(call('resetClock', {}));
    },
    end: () => told(call('stopFaults', {})),
  };
}

/** Rehearses in the page by the walker of its own machines; ends with the page at `home`. */
async function rehearseHere(
  actor: ConsoleActor,
  go: Go,
  { name, right, home }: { name: string; right: string; home: string },
  walk: (...hands: [Parameters<typeof rehearse>[1], Lab]) => Promise<{ because: string }>,
): Promise<string> {
  const rehearsal = { name, right, journey: null };
  let result = '';
  await perform(
    actor,
    go,
    { walks: [], at: 0, state: 'running', says: '', rehearsal } satisfies Playing,
    ({ now }) => ({
      patient: false,
      visit: () => Promise.resolve(),
      tell(event) {
        if ('begins' in event) now({ rehearsal: { ...rehearsal, journey: event.begins } });
      },
    }),
    async (walker) => {
      const lab = pageLab();
      try {
        ({ because: result } = await walk(walker, lab));
        return result;
      } finally {
        await lab.end();
        go(home);
      }
    },
  );
  return result;
}

/** Puts console and sandbox into a situation, by the journeys that lead there. */
export const playSituation = (actor: ConsoleActor, go: Go, id: SituationId): Promise<string> =>
  rehearseHere(
    actor,
    go,
    { name: situations[id].name, right: 'this is how things are now.', home: '/' },
    (walker, lab) => bringAbout(id, walker, lab),
  );

/** Rehearses a scenario and keeps whether the console did right. */
export async function playScenario(actor: ConsoleActor, go: Go, scenario: Scenario): Promise<void> {
  let isOver = false;
  const { id, name, shows } = scenario;
  const because = await rehearseHere(
    actor,
    go,
    { name, right: `as it should be. ${shows}`, home: '/sandbox' },
    async (walker, lab) => {
      const rehearsed = await rehearse(scenario, walker, lab);
      isOver = true;
      return rehearsed;
    },
  );
  if (isOver) keepOutcome(id, because);
}

/** How a scenario went last in this browser: why it went wrong, '' if it was right; `at` is an ISO time. */
interface Outcome {
  because: string;
  at: string;
}

const slot = 'rehearsed';
const listeners = new Set<() => void>();
const text = (): string => shared().getItem(slot) ?? '{}';
const outcomesIn = (kept: string) => JSON.parse(kept) as Record<string, Outcome>; // written below only

function keepOutcome(id: string, because: string): void {
  const all = { ...outcomesIn(text()), [id]: { because, at: new Date().toISOString() } };
  shared().setItem(slot, JSON.stringify(all));
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** How each scenario went last in this browser, by its id. */
export function useOutcomes(): Record<string, Outcome> {
  const kept = useSyncExternalStore(subscribe, text);
  return useMemo(() => outcomesIn(kept), [kept]);
}
