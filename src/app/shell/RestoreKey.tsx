import { Button } from '@chakra-ui/react';
import type { ActorRefFrom } from 'xstate';
import type { machine } from '../effects/workspace.ts';

export type WorkspaceActor = ActorRefFrom<typeof machine>;

/** The button that puts back the signing key that another one has replaced. */
export function RestoreKey(props: { organisationId: string; name: string; actor: WorkspaceActor }) {
  const { organisationId, name, actor } = props;
  return (
    <Button
      size="sm"
      aria-label={`Restore the previous signing key of ${name}`}
      onClick={() => actor.send({ type: 'key.restore', organisationId })}
    >
      Restore previous signing key
    </Button>
  );
}
