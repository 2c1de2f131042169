import type { ProgramVerdict } from '#contract/programShapes.ts';
import type { ResourceKind } from '../lib/resource.machine.ts';

/** The verdict, and when a webhook was first answered by the program's own receiver; '' if none was. */
export type FollowedVerdict = ProgramVerdict & { webhookAt: string };

/** The verdict of the latest verification of a program. */
export const verdictKind: ResourceKind<FollowedVerdict, never> = { reads: 'at once' };
