import { scenarios, type Scenario } from '#runner/scenarios.ts';
import { call } from '../api/client.ts';
import type { ConsoleActor } from '../console/consoleActor.ts';
import type { Go } from './playRun.ts';
import { playScenario } from './rehearsals.ts';

/** The address of the sequence of the latest call of a payment that got no response; the timeline if there is none. */
async function failedSequence(): Promise<string> {
  const query = { journey: 'electronicPayment', kind: 'service', status: '0' };
  const [entry] = (await call('getTimeline', { query })).data;
  return `/timeline${entry ? `?${new URLSearchParams({ entry: entry.id, view: 'sequence' }).toString()}` : ''}`;
}

/** Simulates a payment whose response is lost, in a company of its own, and opens the sequence of its calls. */
export async function simulateFailure(actor: ConsoleActor, go: Go): Promise<void> {
  const [lost] = scenarios as readonly [Scenario, ...Scenario[]]; // the list begins with the lost response
  await playScenario(actor, go, lost, () => failedSequence().catch(() => '/timeline'));
}
