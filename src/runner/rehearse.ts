import type { Facts } from '#contract/facts.ts';
import type { LabBatch, SentWebhook } from '#contract/lab.ts';
import type { FaultRule, KeptRule } from '#contract/controlShapes.ts';
import type { Scenario } from './scenarios.ts';
import { situations, type Act, type During, type SituationId } from './situations.ts';
import type { Walked, Walker, WalkOptions } from './runJourney.ts';

/** The fault lab of a sandbox, and the sandbox's records (docs/sandbox.md). */
export interface Lab {
  set: (rule: FaultRule) => Promise<KeptRule>;
  rules: () => Promise<KeptRule[]>;
  stop: () => Promise<void>;
  batches: () => Promise<LabBatch[]>;
  webhooks: () => Promise<SentWebhook[]>;
  /** Moves the sandbox's clock by this many ms. */
  move: (ms: number) => Promise<void>;
  /** Sets the clock to the machine's time. */
  resetClock: () => Promise<void>;
  /** Has payments processed on every day, until the clock is set to the machine's time. */
  everyDay: () => Promise<void>;
}

/** Performs the acts of situations and scenarios with a walker and a lab. */
function actor(walker: Walker, lab: Lab) {
  const counted = new Map<string, KeptRule>();

  /** Stores how often each rule's fault has happened, because the lab forgets it when the faults are stopped. */
  async function count(): Promise<void> {
    for (const each of await lab.rules()) counted.set(each.ruleId, each);
  }

  async function small(act: During['acts'][number]): Promise<void> {
    if (act.act === 'fault') await lab.set(act.rule);
    else if (act.act === 'clock') await lab.move(act.move);
    else {
      await count();
      await lab.stop();
    }
  }

  async function all(acts: readonly Act[]): Promise<Walked[]> {
    const walked: Walked[] = [];
    for (const act of acts) {
      if (act.act !== 'walk') {
        await small(act);
        continue;
      }
      const left = [...(act.during ?? [])];
      const arrived: WalkOptions['arrived'] = async (journey, state) => {
        const index = left.findIndex((each) => each.journey === journey && each.state === state);
        const [found] = index < 0 ? [] : left.splice(index, 1);
        for (const each of found?.acts ?? []) await small(each);
      };
      walked.push(...(await walker.all(act.journeys, { retries: act.retries ?? 0, arrived })));
    }
    return walked;
  }

  return { all, count, counted };
}

/** Why a situation could not be established; '' if it was. */
const lackOf = (walked: readonly Walked[]): string => {
  const failed = walked.find(({ end }) => end === 'failed');
  return failed ? `${failed.journey}: ${failed.because}` : '';
};

/**
 * Establishes a situation by a user's journeys. Stops all faults before and afterwards; does not reset the clock, and leaves it with
 * payments that are processed on every day.
 */
export async function bringAbout(
  id: SituationId,
  walker: Walker,
  lab: Lab,
): Promise<{ walked: Walked[]; because: string }> {
  await lab.stop();
  // Otherwise a batch of a weekend would not end.
  await lab.everyDay();
  const walked = await actor(walker, lab).all(situations[id].acts);
  await lab.stop();
  return { walked, because: lackOf(walked) };
}

/** Takes steps in their order, also after one that fails. Rejects as the first that has failed. */
async function eachOf(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failed: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw failed[0];
}

/**
 * Rehearses a scenario: establishes its situation, performs its acts, checks the result. `because` says what the
 * console did wrong, or why the situation could not be established; '' if all is right. Afterwards, stops all faults,
 * resets the clock, and calls `restore` with the facts as they were before.
 */
export async function rehearse(
  scenario: Scenario,
  walker: Walker,
  lab: Lab,
  restore: (found: Facts) => Promise<void>,
): Promise<{ walked: Walked[]; because: string }> {
  const found = await walker.facts();
  try {
    const made = await bringAbout(scenario.situation, walker, lab);
    if (made.because) return { ...made, because: `Its situation is not there: ${made.because}` };
    const before = await walker.facts();
    const [batches, webhooks] = [await lab.batches(), await lab.webhooks()];
    const acts = actor(walker, lab);
    const walked = await acts.all(scenario.acts);
    await acts.count();
    await lab.stop();
    const old = new Set([...batches.map(({ batchId }) => batchId), ...webhooks.map(({ webhookId }) => webhookId)]);
    const wrong = scenario.check({
      walked,
      before,
      facts: await walker.factsNow(),
      batches: (await lab.batches()).filter(({ batchId }) => !old.has(batchId)),
      webhooks: (await lab.webhooks()).filter(({ webhookId }) => !old.has(webhookId)),
      rules: [...acts.counted.values()],
    });
    return { walked: [...made.walked, ...walked], because: wrong.join('; ') };
  } finally {
    await eachOf([lab.stop, lab.resetClock, () => restore(found), () => walker.factsNow()]);
  }
}
