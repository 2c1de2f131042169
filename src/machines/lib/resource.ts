import type { ActorRef, MachineSnapshot, SnapshotFrom, StateSchema } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import type { Reported } from './describe.ts';
import type { Tag } from './state.ts';
import type { Act, ResourceContext, ResourceEmitted, ResourceEvent, resourceMachine } from './resource.machine.ts';

type Value = SnapshotFrom<typeof resourceMachine>['value'];

/** The chart of a resource at work, with the types of its kind. */
export type ResourceActor<Known, A extends Act, Result = unknown> = ActorRef<
  MachineSnapshot<
    ResourceContext<Known, A, Result>,
    ResourceEvent<A>,
    Record<string, never>,
    Value,
    Tag,
    unknown,
    Reported,
    StateSchema
  >,
  ResourceEvent<A>,
  ResourceEmitted<A, Result>
>;

/** What a component shows of a resource. */
export interface Shown<Known, A extends Act, Result> {
  /** As last read; null before that. */
  known: Known | null;
  /** Whether it is being read, with nothing to show meanwhile. */
  isReading: boolean;
  /** Why it could not be read the last time. */
  unread: Problem | null;
  /** The act that the user is asked about. */
  asked: A | null;
  /** The act under way. */
  acting: A | null;
  /** The last act if it has succeeded, and its answer. */
  done: A | null;
  result: Result | null;
  /** The last act if it has failed, or if its outcome is unknown, and why. */
  refused: A | null;
  failure: Problem | null;
}

/** What a component shows of a resource in this state. */
export function shownOf<Known, A extends Act, Result>({
  value,
  context: { known, unread, act, result, failure },
}: ReturnType<ResourceActor<Known, A, Result>['getSnapshot']>): Shown<Known, A, Result> {
  const isOver = value.doing !== 'asking' && value.doing !== 'acting';
  return {
    known,
    isReading: value.known !== 'shown' && value.doing === 'reading',
    unread,
    asked: value.doing === 'asking' ? act : null,
    acting: value.doing === 'acting' ? act : null,
    done: isOver && failure === null ? act : null,
    refused: failure && act,
    result,
    failure,
  };
}
