import { createHash } from 'node:crypto';
import { faultHeader } from '#contract/constants.ts';
import { type FaultTarget } from '#contract/lab.ts';
import type { FaultRule, KeptRule } from '#contract/labShapes.ts';
import type { SandboxStorage } from '../storage.ts';
import type { Share } from '../store/share.ts';

type KeptOf<On extends FaultTarget> = Extract<KeptRule, { on: On }>;

/** A fault that happens to something: how it is marked wherever it shows. */
export interface Mark {
  kind: string;
  ruleId: string;
}

export const markOf = ({ fault: { kind }, ruleId }: KeptRule): Mark => ({ kind, ruleId });

/** The header that says that the lab made an answer or a webhook. */
export const markHeader = ({ kind, ruleId }: Mark): Record<string, string> => ({
  [faultHeader]: `${kind}; rule=${ruleId}`,
});

/** A number from 0 to 1 that depends on the seed and the turn only. */
const chance = (seed: number, turn: number): number =>
  createHash('sha256').update(`${seed}:${turn}`).digest().readUInt32BE() / 2 ** 32;

interface Deps {
  storage: SandboxStorage;
  /** Runs writes as one transaction. */
  together: Share['transaction'];
  newId: () => string;
  /** Called after each change of the rules or of their counts. */
  changed: () => void;
}

/**
 * The rules of the fault lab. They are stored with the sandbox's resources, so that they survive a restart and go when
 * the sandbox is emptied. Of several rules for the same thing, the oldest that happens decides.
 */
export function createFaults({ storage, together, newId, changed }: Deps) {
  let rules: readonly KeptRule[] = [];
  const isSpent = ({ times, happened }: KeptRule) => times !== 'always' && happened >= times;

  /** Asks one rule, counts it, and returns whether its fault happens now. */
  async function happens(rule: KeptRule): Promise<boolean> {
    const asked = rule.asked + 1;
    const hit = rule.probability === 1 || chance(rule.seed, asked) < rule.probability;
    const counted = { ...rule, asked, happened: rule.happened + (hit ? 1 : 0) };
    // At once, so that no other call is counted the same.
    rules = rules.map((each) => (each === rule ? counted : each));
    await storage.save('fault', rule.ruleId, counted);
    changed();
    return hit;
  }

  return {
    /** Reads the rules; before that there are none. */
    async load(): Promise<void> {
      rules = await storage.list('fault', '');
    },
    /** All rules, the oldest first, with those that have happened as often as they were to. */
    list: (): readonly KeptRule[] => rules,
    async add(rule: FaultRule): Promise<KeptRule> {
      const ruleId = newId();
      const kept = { ...rule, ruleId, asked: 0, happened: 0 };
      await storage.add('fault', ruleId, kept);
      rules = [...rules, kept];
      changed();
      return kept;
    },
    /** Resolves with false if there is no such rule. */
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
    /** The rules of a kind of fault that lasts until it is stopped; they are not counted. */
    lasting: <On extends FaultTarget>(on: On, name: string): KeptOf<On>[] =>
      rules.filter((rule): rule is KeptOf<On> => rule.on === on && [name, 'any'].includes(rule.of)),
    /** The rule whose fault happens to this call, webhook or party now, or undefined. */
    async take<On extends FaultTarget>(on: On, name: string): Promise<KeptOf<On> | undefined> {
      const isMeant = (rule: KeptRule): rule is KeptOf<On> => rule.on === on && [name, 'any'].includes(rule.of);
      for (const { ruleId } of rules.filter(isMeant)) {
        // As it is counted by now.
        const rule = rules.filter(isMeant).find((each) => each.ruleId === ruleId);
        if (rule && !isSpent(rule) && (await happens(rule))) return rule;
      }
      return undefined;
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;
