import { Button } from '@chakra-ui/react';
import type { ButtonProps } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { AnyMachineSnapshot, EventObject, Subscribable } from 'xstate';
import { descriptionOf } from '#machines/lib/state.ts';

/** The part of an actor that a button needs. */
export interface Acting<Event extends EventObject> {
  getSnapshot: () => AnyMachineSnapshot;
  subscribe: Subscribable<AnyMachineSnapshot>['subscribe'];
  send: (event: Event) => void;
}

/** Why the actor does not accept an event now, '' if it does: `blocked`, otherwise what it is doing. */
export const useRests = <Event extends EventObject>(actor: Acting<Event>, act: Event, blocked = ''): string =>
  useSelector(actor, (snapshot: AnyMachineSnapshot) => (snapshot.can(act) ? '' : blocked || descriptionOf(snapshot)));

/**
 * A button that sends an event to a machine. While the machine does not accept it, the button is disabled and its
 * tooltip says why: `blocked`, or what the machine is doing. `title` is the tooltip otherwise. With `type="submit"` the
 * form sends the event.
 */
export function ActButton<Event extends EventObject>({
  actor,
  act,
  blocked,
  title,
  ...button
}: Omit<ButtonProps, 'onClick'> & { actor: Acting<Event>; act: Event; blocked?: string; title?: string | undefined }) {
  const rests = useRests(actor, act, blocked);
  return (
    <Button
      {...button}
      aria-disabled={rests !== ''}
      title={rests || title}
      onClick={button.type === 'submit' || rests ? undefined : () => actor.send(act)}
    />
  );
}
