import { Button, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useId } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import type { Meta } from '#machines/gate.ts';

export type AuthorisationActor = ActorRefFrom<typeof authorisationMachine>;

/** DOM id of the sentence that says why the whole list waits. */
export const pauseId = 'authorisation-pause';

/** What goes on instead of listing, in the machine's own words; '' while the list takes actions. */
export function pauseOf(snapshot: SnapshotFrom<typeof authorisationMachine>): string {
  const [meta] = Object.values(snapshot.getMeta() as Record<string, Meta>); // the outermost state's comes first
  return snapshot.matches('listing') || snapshot.matches('refused') ? '' : (meta?.description ?? '');
}

/**
 * One action on one row. `blocked` is why this row does not take it ('' if it does). With `href` the action also
 * opens that page in another tab.
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
          // One line, so that ten rows stay in sight; a card has room for all of it.
          css={{ '@media (min-width: 600px)': { maxWidth: { base: '6.5rem', xl: '10.5rem' }, truncate: true } }}
        >
          {blocked}
        </Text>
      )}
    </>
  );
}
