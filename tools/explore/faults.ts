import type { FaultRule } from '../../src/contract/controlShapes.ts';
import { minute, rule } from '../../src/runner/situations.ts';
import type { Lab } from '../../src/runner/rehearse.ts';
import { randomFrom } from '../../tests/support/random.ts';

/** After how many actions something else goes wrong. */
const turn = 12;

const always = 'always' as const;

/** What goes wrong, none of it for longer than a user would wait. */
const rules: readonly FaultRule[] = [
  rule('call', 'createBatch', { kind: 'answerLost' }),
  rule('call', 'createBatch', { kind: 'reset' }),
  rule('call', 'createBatch', { kind: 'truncated' }),
  rule('call', 'createBatch', { kind: 'status', status: 503 }),
  rule('call', 'creditorputs', { kind: 'answerLost' }),
  rule('call', 'debtoraccountputs', { kind: 'status', status: 500 }),
  rule('call', 'subscription', { kind: 'expiredToken' }),
  rule('call', 'any', { kind: 'status', status: 503 }, 3),
  rule('call', 'any', { kind: 'tooMany', retryAfter: 1 }, 2),
  rule('call', 'any', { kind: 'html', status: 502 }, 2),
  rule('call', 'any', { kind: 'latency', ms: 1500 }, 10),
  rule('call', 'any', { kind: 'slow', ms: 800 }, 5),
  rule('call', 'provider', { kind: 'status', status: 500 }, 2),
  rule('call', 'batch', { kind: 'truncated' }, 2),
  rule('webhook', 'any', { kind: 'duplicate' }, 5),
  rule('webhook', 'any', { kind: 'lose' }),
  rule('webhook', 'any', { kind: 'delay', ms: 3000 }, 3),
  rule('webhook', 'any', { kind: 'badSignature' }),
  rule('webhook', 'any', { kind: 'array' }, 2),
  rule('put', 'any', { kind: 'refuse' }),
  rule('authorisation', 'any', { kind: 'approve', ms: 500 }, 5),
  rule('authorisation', 'subscription', { kind: 'approveThenRevoke', ms: 3000 }),
  rule('batch', 'any', { kind: 'failPayment', index: 0, rule: '' }),
  rule('batch', 'any', { kind: 'returned' }),
  rule('batch', 'any', { kind: 'fileLinkDead' }),
  rule(
    'definition',
    'provider',
    { kind: 'ruleAdded', apiPath: 'Creditors', path: 'additionalData.addedByTheLab' },
    always,
  ),
  rule('definition', 'provider', { kind: 'nullText', rule: '' }, always),
];

/**
 * Lets the lab's faults happen while a page is explored: the same ones for a seed, by the number of actions. The returned
 * function is told that number; how often each fault was set is counted in `set`.
 */
export function faultsOf(lab: Lab, seed: number, set: Map<string, number>): (actions: number) => Promise<void> {
  const random = randomFrom(seed);
  let turns = 0;

  async function next(): Promise<void> {
    const dice = random();
    const chosen = rules[Math.floor(random() * rules.length)]!; // below the length
    if (dice < 0.2) return lab.stop();
    if (dice < 0.25) return lab.move(5 * minute);
    await lab.set(chosen);
    const name = `${chosen.on} ${chosen.of} ${chosen.fault.kind}`;
    set.set(name, (set.get(name) ?? 0) + 1);
  }

  return async function after(actions) {
    for (; turns < Math.floor(actions / turn); turns += 1) await next();
  };
}
