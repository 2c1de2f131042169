import { createHash } from 'node:crypto';
import { faultHeader } from '#contract/constants.ts';
import { type FaultTarget } from '#contract/lab.ts';
import type { FaultRule, KeptRule } from '#contract/labShapes.ts';
import type { SandboxStorage } from '../store/collection.ts';
import type { Share } from '../store/tenantStore.ts';

type KeptOf<On extends FaultTarget> = Extract<KeptRule, { on: On }>;

/** Identifies the fault that caused something, wherever that is shown. */
export interface Mark {
  kind: string;
  ruleId: string;
}

export const markOf = ({ fault: { kind }, ruleId }: KeptRule): Mark => ({ kind, ruleId });

/** Returns the header that tells that the lab made an answer or a webhook. */
export const markHeader = ({ kind, ruleId }: Mark): Record<string, string> => ({
  [faultHeader]: `${kind}; rule=${ruleId}`,
});

/** Returns a number from 0 to 1 determined by the seed and the turn. */
const chance = (seed: number, turn: number): number =>
  createHash('sha256').update(`${seed}:${turn}`).digest().readUInt32BE() / 2 ** 32;

interface Deps {
  storage: SandboxStorage;
  /** Runs writes in one transaction. */
  together: Share['transaction'];
  newId: () => string;
  /** Called after each change of the rules or of their counters. */
  changed: () => void;
}

/**
 * The rules of the fault lab, stored with the sandbox's resources until the sandbox is emptied. Of several matching
 * rules, the oldest that takes effect applies.
 */
export function createFaults({ storage, together, newId, changed }: Deps) {
  let rules: readonly KeptRule[] = [];
  const isSpent = ({ times, happened }: KeptRule) => times !== 'always' && happened >= times;

  /** Evaluates a rule, counts that, and returns whether its fault takes effect now. */
  async function happens(rule: KeptRule): Promise<boolean> {
    const asked = rule.asked + 1;
    const hit = rule.probability === 1 || chance(rule.seed, asked) < rule.probability;
    const counted = { ...rule, asked, happened: rule.happened + (hit ? 1 : 0) };
    // Updated before the store is, so that no concurrent call sees the same counters.
    rules = rules.map((each) => (each === rule ? counted : each));
    await storage.save('fault', rule.ruleId, counted);
    changed();
    return hit;
  }

  return {
    /** Reads the stored rules; until then there are none. */
    async load(): Promise<void> {
      rules = await storage.list('fault', '');
    },
    /** Returns all rules, oldest first, including spent ones. */
    list: (): readonly KeptRule[] => rules,
    async add(rule: FaultRule): Promise<KeptRule> {
      const ruleId = newId();
      const kept = { ...rule, ruleId, asked: 0, happened: 0 };
      await storage.add('fault', ruleId, kept);
      rules = [...rules, kept];
      changed();
      return kept;
    },
    /** Resolves with false if the rule does not exist. */
    async remove(ruleId: string): Promise<boolean> {
      const removed = await storage.remove('fault', ruleId);
      rules = rules.filter((rule) => rule.ruleId !== ruleId);
      changed();
      return removed;
    },
    async stop(): Promise<void> {
      await together(async () => {
        for (const { ruleId } of rules) await storage.remove('fault', ruleId);
      });
      rules = [];
      changed();
    },
    /** Returns the rules of a fault that lasts until it is stopped; these are not counted. */
    lasting: <On extends FaultTarget>(on: On, name: string): KeptOf<On>[] =>
      rules.filter((rule): rule is KeptOf<On> => rule.on === on && [name, 'any'].includes(rule.of)),
    /** Returns the rule whose fault takes effect on this call, webhook or party now; undefined if none does. */
    async take<On extends FaultTarget>(on: On, name: string): Promise<KeptOf<On> | undefined> {
      const isMeant = (rule: KeptRule): rule is KeptOf<On> => rule.on === on && [name, 'any'].includes(rule.of);
      for (const { ruleId } of rules.filter(isMeant)) {
        // Read again, because its counters may have changed meanwhile.
        const rule = rules.filter(isMeant).find((each) => each.ruleId === ruleId);
        if (rule && !isSpent(rule) && (await happens(rule))) return rule;
      }
      return undefined;
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;
