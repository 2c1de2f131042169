import { useSelector } from '@xstate/react';
import { isOn } from '#machines/lab/lab.machine.ts';
import { LabStanding } from '../routes.ts';
import { useLab } from './useLab.tsx';

/**
 * Shows on every page what the fault lab is doing. Rendered above the bars at the bottom, where it moves nothing. Its
 * region is always present, because screen readers announce a status only in an existing one.
 */
export function LabBanner() {
  const on = useSelector(useLab(), ({ context }) => isOn(context.lab));
  return (
    <div role="status" aria-label="Fault lab">
      {on && <LabStanding />}
    </div>
  );
}
