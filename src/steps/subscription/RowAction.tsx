import { useSelector } from '@xstate/react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import type { Meta } from '#machines/lib/gate.ts';
import { authoriseBlocked, suspendBlocked, updateBlocked, type SubscriptionRow } from '#machines/subscription/rows.ts';
import { RowMenu, RowMenuItem } from '#ui/RowMenu.tsx';

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
 * One action on one row. `blocked` is why the action is not available for this row, '' if it is. With `href`, it also
 * opens that page in another tab.
 */
function RowAction(props: {
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
  return (
    <RowMenuItem
      label={label}
      rests={!may}
      reason={blocked}
      describedBy={pauseId}
      onPress={() => actor.send(event)}
      {...(href !== undefined && { href })}
    />
  );
}

/** The actions of a row. Authorise is left out where it is not possible, with the reason (behaviour, section 4). */
export function RowActions({ actor, row }: { actor: AuthorisationActor; row: SubscriptionRow }) {
  const shared = { actor, id: row.subscriptionId };
  const blocked = authoriseBlocked(row);
  return (
    <RowMenu name={`subscription ${row.subscriptionId}`} note={blocked}>
      {row.pending && <RowAction {...shared} verb="follow" label="Wait for the update" />}
      {!row.current && <RowAction {...shared} verb="select" label="Select" />}
      {!blocked && (
        <RowAction {...shared} verb="authorise" label="Authorise" {...(row.framed ? {} : { href: row.authorise })} />
      )}
      <RowAction {...shared} verb="update" label="Update" blocked={updateBlocked(row)} />
      <RowAction
        {...shared}
        verb="suspend"
        label={row.suspended ? 'Unsuspend' : 'Suspend'}
        blocked={suspendBlocked(row)}
      />
    </RowMenu>
  );
}
