import { Button, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useId } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import type { Meta } from '#machines/lib/gate.ts';

export type AuthorisationActor = ActorRefFrom<typeof authorisationMachine>;

/** DOM id of the sentence that says why the actions of all rows are disabled. */
export const pauseId = 'authorisation-pause';

/** States in which the rows' actions are enabled, immediately or after half a second. */
const atRest = ['listing', 'turned', 'refused'] as const;

/** Why the actions of all rows are disabled: the description of the machine's state. '' in a state at rest. */
export function pauseOf(snapshot: SnapshotFrom<typeof authorisationMachine>): string {
  const [meta] = Object.values(snapshot.getMeta() as Record<string, Meta>); // the outermost state is first
  return atRest.some((state) => snapshot.matches(state)) ? '' : (meta?.description ?? '');
}

/**
 * The button for one action on one row. `blocked` is why the action is not available for this row, '' if it is. With
 * `href`, the button also opens that page in another tab.
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
  const may = useSelector(actor, (snapshot) => snapshot.can(event));
  const reasonId = useId();
  const named = { size: 'sm', 'aria-label': `${label} subscription ${id}`, onClick: () => actor.send(event) } as const;
  return (
    <>
      {may && href ? (
        <Button asChild {...named}>
          <a href={href} target="_blank" rel="noopener">
            {label} ↗
          </a>
        </Button>
      ) : (
        <Button {...named} aria-disabled={!may} aria-describedby={may ? undefined : blocked ? reasonId : pauseId}>
          {label}
        </Button>
      )}
      {blocked && (
        <Text
          id={reasonId}
          title={blocked}
          fontSize="xs"
          lineHeight="xs"
          color="fg.muted"
          // Cut to one line, so that ten rows stay visible; a card has room for the full text.
          css={{ '@media (min-width: 600px)': { maxWidth: { base: '6.5rem', xl: '10.5rem' }, truncate: true } }}
        >
          {blocked}
        </Text>
      )}
    </>
  );
}
