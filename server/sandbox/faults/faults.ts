import { createHash } from 'node:crypto';
import { type FaultTarget } from '#contract/faults.ts';
import { isOpen } from '#contract/serviceCalls.ts';
import type { FaultRule, KeptRule } from '#contract/controlShapes.ts';
import type { MagicWord } from '#contract/magic.ts';
import type { Collections, TenantStore } from '../store/tenantStore.ts';
import type { ActiveFault } from '../records/call.ts';
import { namedFault } from './magicValues.ts';

/** The rules of the fault lab. */
const faultRuleRecords = (store: Collections) => store.collection<KeptRule>('fault');

type RuleOn<On extends FaultTarget> = Extract<KeptRule, { on: On }>;

/** Returns a number from 0 to 1 determined by the seed and the turn. */
const chance = (seed: number, turn: number): number =>
  createHash('sha256').update(`${seed}:${turn}`).digest().readUInt32BE() / 2 ** 32;

interface Deps {
  store: Pick<TenantStore, 'collection' | 'transaction'>;
  newId: () => string;
  /** Called after each change of the rules or of their counters. */
  changed: () => void;
}

/**
 * The rules of the fault lab, stored with the sandbox's resources until the sandbox is emptied. Of several matching
 * rules, the oldest that takes effect applies.
 */
export function createFaults({ store, newId, changed }: Deps) {
  const stored = faultRuleRecords(store);
  let rules: readonly KeptRule[] = [];
  const isSpent = ({ times, happened }: KeptRule) => times !== 'always' && happened >= times;

  /** Whether no fault happens, because a situation is being prepared. */
  let isMuted = false;

  /** Evaluates a rule, counts that, and returns whether its fault takes effect now. */
  async function happens(rule: KeptRule): Promise<boolean> {
    const asked = rule.asked + 1;
    const hit = rule.probability === 1 || chance(rule.seed, asked) < rule.probability;
    const counted = { ...rule, asked, happened: rule.happened + (hit ? 1 : 0) };
    // Updated before the store is, so that no concurrent call sees the same counters.
    rules = rules.map((each) => (each === rule ? counted : each));
    await stored.save(rule.ruleId, counted);
    changed();
    return hit;
  }

  /** Returns the rule whose fault takes effect on this call, webhook or party now; undefined if none does. */
  async function takeRule<On extends FaultTarget>(on: On, name: string): Promise<RuleOn<On> | undefined> {
    if (isMuted) return undefined;
    const names = isOpen(name) ? [name] : [name, 'any'];
    const isMeant = (rule: KeptRule): rule is RuleOn<On> => rule.on === on && names.includes(rule.of);
    for (const { ruleId } of rules.filter(isMeant)) {
      // Read again, because its counters may have changed meanwhile.
      const rule = rules.filter(isMeant).find((each) => each.ruleId === ruleId);
      if (rule && !isSpent(rule) && (await happens(rule))) return rule;
    }
    return undefined;
  }

  return {
    mute: (muted: boolean): void => void (isMuted = muted),
    /** Reads the stored rules; until then there are none. */
    async load(): Promise<void> {
      rules = await stored.list('');
    },
    /** Returns all rules, oldest first, including spent ones. */
    list: (): readonly KeptRule[] => rules,
    async add(rule: FaultRule): Promise<KeptRule> {
      const ruleId = newId();
      const added = { ...rule, ruleId, asked: 0, happened: 0 };
      await stored.add(ruleId, added);
      rules = [...rules, added];
      changed();
      return added;
    },
    /** Resolves with false if the rule does not exist. */
    async remove(ruleId: string): Promise<boolean> {
      const removed = await stored.remove(ruleId);
      rules = rules.filter((rule) => rule.ruleId !== ruleId);
      changed();
      return removed;
    },
    async stop(): Promise<void> {
      await store.transaction(async () => {
        for (const { ruleId } of rules) await stored.remove(ruleId);
      });
      rules = [];
      changed();
    },
    /** Returns the rules of a fault that lasts until it is stopped; these are not counted. */
    lasting: <On extends FaultTarget>(on: On, name: string): RuleOn<On>[] =>
      isMuted ? [] : rules.filter((rule): rule is RuleOn<On> => rule.on === on && [name, 'any'].includes(rule.of)),
    /**
     * Returns the fault that takes effect on this call, webhook or party now: that of a rule, otherwise that of the
     * first magic word (of those in `among`) in one of the texts; undefined if there is none.
     */
    async take<On extends FaultTarget>(
      on: On,
      name: string,
      texts: readonly string[] = [],
      among?: readonly MagicWord[],
    ): Promise<ActiveFault<On> | undefined> {
      const rule = await takeRule(on, name);
      if (!rule) return namedFault(on, texts, among);
      const { fault, ruleId } = rule;
      return { fault: fault as ActiveFault<On>['fault'], injected: { kind: fault.kind, ruleId } }; // the rule's own target
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;
