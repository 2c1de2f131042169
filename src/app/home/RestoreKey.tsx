import type { ActorRefFrom } from 'xstate';
import { ActButton } from '#steps/kit/ActButton.tsx';
import type { machine } from '../effects/company.ts';

export type WorkspaceActor = ActorRefFrom<typeof machine>;

/** The button that puts back the signing key that another one has replaced. */
export function RestoreKey(props: { organisationId: string; name: string; actor: WorkspaceActor }) {
  const { organisationId, name, actor } = props;
  return (
    <ActButton
      size="sm"
      actor={actor}
      act={{ type: 'key.restore', organisationId }}
      aria-label={`Restore the previous signing key of ${name}`}
    >
      Restore previous signing key
    </ActButton>
  );
}
