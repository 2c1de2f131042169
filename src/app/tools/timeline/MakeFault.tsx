import { ActButton, type Acting } from '#steps/kit/ActButton.tsx';
import type { RowAct } from '#machines/lab/resources.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import type { DifferenceRow } from '#app/effects/description.ts';
import type { ListedDifference } from '#contract/description.ts';

/** What a difference means for this console. */
export const effectWords: Readonly<Record<ListedDifference['effect'], string>> = {
  works: 'Still works',
  partly: 'Leaves this part out',
  fails: 'Cannot use the response',
};

type Act = { type: 'act' } & RowAct;

/** Sets a difference as a fault of the sandbox; with a live service, copies the fault for a sandbox. */
export function MakeFault(props: { actor: Acting<Act>; row: DifferenceRow; isSandbox: boolean }) {
  const { actor, row, isSandbox } = props;
  const { id, call, path, fault } = row;
  const what = `${call} ${path}`.trim();
  if (!isSandbox && fault.rule)
    return <CopyButton label="Copy as fault" what={what} text={JSON.stringify(fault.rule)} />;
  return (
    <ActButton
      size="sm"
      actor={actor}
      act={{ type: 'act', id, act: 'fault' }}
      blocked={fault.reason ?? ''}
      aria-label={`Set as fault: ${what}`}
    >
      Set as fault
    </ActButton>
  );
}
