import { Button, Text } from '@chakra-ui/react';
import { useId } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { useRests } from '../kit/ActButton.tsx';
import { activeNodes } from '#machines/lib/state.ts';

export type AuthorisationActor = ActorRefFrom<typeof authorisationMachine>;

/** DOM id of the sentence that says why the actions of all rows are disabled. */
export const pauseId = 'authorisation-pause';

/** Why the actions of all rows are disabled: the description of the machine's state. '' while the list is at rest. */
export function pauseOf(snapshot: SnapshotFrom<typeof authorisationMachine>): string {
  if (snapshot.matches('list')) return '';
  const [, outer, inner] = activeNodes(snapshot); // the root is first
  return (snapshot.matches('acting') ? inner : outer)?.description ?? '';
}

/**
 * One action on one row. `blocked` is why the action is not available for this row, '' if it is; it stands below the
 * button. With `href`, the action also opens that page in another tab.
 */
export function RowAction(props: {
  actor: AuthorisationActor;
  verb: 'select' | 'authorise' | 'update' | 'suspend' | 'follow';
  id: string;
  label: string;
  blocked?: string;
  href?: string;
}) {
  const { actor, verb, id, label, blocked = '', href } = props;
  const event = { type: `subscription.${verb}`, id } as const;
  const rests = useRests(actor, event, blocked);
  const may = rests === '';
  const reason = useId();
  const press = () => may && actor.send(event);
  const name = `${label}${verb === 'follow' ? ' of' : ''} subscription ${id}`;
  if (href !== undefined && may)
    return (
      <Button asChild size="sm" px="2" onClick={press}>
        <a href={href} target="_blank" rel="noopener" aria-label={`${name}, in another tab`}>
          {label} <span aria-hidden="true">↗</span>
        </a>
      </Button>
    );
  return (
    <>
      <Button
        size="sm"
        px="2"
        aria-label={name}
        aria-disabled={!may}
        aria-describedby={may ? undefined : blocked ? reason : pauseId}
        title={blocked ? undefined : rests || undefined}
        onClick={press}
      >
        {label}
      </Button>
      {blocked && (
        <Text id={reason} color="fg.muted" fontSize="sm">
          {blocked}
        </Text>
      )}
    </>
  );
}
