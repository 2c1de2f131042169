import type { ProgramVerdict } from '#contract/programShapes.ts';
import type { ResourceKind } from '../lib/resource.machine.ts';

/** The verdict, and when a webhook was first answered by the program's own receiver; '' if none was. */
export type FollowedVerdict = ProgramVerdict & { webhookAt: string };

export interface ScenarioAct {
  act: 'run';
  scenario: string;
}

/** The verdict of the latest verification of a program, and the run of one of its scenarios. */
export const verdictKind: ResourceKind<FollowedVerdict, ScenarioAct> = {
  reads: 'at once',
  // This console may start the program, none runs, and the scenario has failed.
  permits: ({ scenario }, verdict) =>
    verdict?.running === null &&
    verdict.blocked === '' &&
    (verdict.report?.failed ?? []).some(({ id }) => id === scenario),
  // No other is started before it is known how far this one is.
  repeats: () => true,
};
