import type { FaultRule } from '#contract/labShapes.ts';
import { bringAbout, rehearse, type Lab } from '#runner/rehearse.ts';
import type { Scenario } from '#runner/scenarios.ts';
import { rule, situations, type SituationId } from '#runner/situations.ts';
import { call } from '../api/client.ts';
import { withLabEvent } from '../api/labEvents.ts';
import type { ConsoleActor } from '../console/consoleActor.ts';
import { perform, type Go } from './playRun.ts';
import { keepOutcome } from './outcomes.ts';
import { restore } from './restore.ts';
import type { Playing } from './runStorage.ts';

/**
 * The lab for a rehearsal in the page, where nobody visits a provider's page: unless the rehearsal sets its own rule
 * for that, the lab approves everything that awaits its user.
 */
function pageLab(): Lab & { end: () => Promise<unknown> } {
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
    end: () => withLabEvent(call('stopFaults', {})),
  };
}

/** Rehearses in the page with a walker of the page's own machine; navigates to the address of `next` at the end. */
async function rehearseHere(
  actor: ConsoleActor,
  go: Go,
  { name, right, next }: { name: string; right: string; next: () => Promise<string> | string },
  walk: (...hands: [Parameters<typeof rehearse>[1], Lab]) => Promise<{ because: string }>,
): Promise<void> {
  const rehearsal = { name, right, journey: null };
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
        return (await walk(walker, lab)).because;
      } finally {
        await lab.end();
        go(await next());
      }
    },
  );
}

/** Establishes a situation in console and sandbox, by the journeys that lead to it. */
export const playSituation = (actor: ConsoleActor, go: Go, id: SituationId): Promise<void> =>
  rehearseHere(
    actor,
    go,
    { name: situations[id].name, right: 'this is how things are now.', next: () => '/' },
    (walker, lab) => bringAbout(id, walker, lab),
  );

/**
 * Rehearses a scenario in a company of its own, stores the outcome, and restores company and settings. Opens the
 * address that `next` returns at the end.
 */
export async function playScenario(
  actor: ConsoleActor,
  go: Go,
  scenario: Scenario,
  next: () => Promise<string> | string,
): Promise<void> {
  const { id, name, shows } = scenario;
  await rehearseHere(actor, go, { name, right: `passed. ${shows}`, next }, async (walker, lab) => {
    const rehearsed = await rehearse(scenario, walker, lab, restore);
    keepOutcome(id, rehearsed.because);
    return rehearsed;
  });
}
