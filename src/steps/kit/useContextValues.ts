import { shallowEqual, useSelector } from '@xstate/react';
import type { AnyActorRef } from 'xstate';

type Selectable = Pick<AnyActorRef, 'getSnapshot' | 'subscribe'>;
type ContextOf<Actor extends Selectable> =
  ReturnType<Actor['getSnapshot']> extends { context: infer Context } ? Context : never;

/** Some values of a machine's context, by name; the component renders again only when one of them changes. */
export const useContextValues = <Actor extends Selectable, Name extends keyof ContextOf<Actor>>(
  actor: Actor,
  ...names: readonly Name[]
): Pick<ContextOf<Actor>, Name> =>
  useSelector(
    actor,
    (snapshot) => {
      const { context } = snapshot as { context: ContextOf<Actor> };
      return Object.fromEntries(names.map((name) => [name, context[name]])) as Pick<ContextOf<Actor>, Name>; // of these names
    },
    shallowEqual,
  );
