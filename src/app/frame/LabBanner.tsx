import { isOn } from '#machines/lab/lab.ts';
import { LabStanding } from '../routes.ts';
import { useResource } from '../console/useResource.ts';
import { lab } from '../effects/lab.ts';

/**
 * Shows on every page what the fault lab is doing. Rendered above the bars at the bottom, where it moves nothing. Its
 * region is always present, because screen readers announce a status only in an existing one.
 */
export function LabBanner() {
  const { known } = useResource(lab);
  return (
    <div role="status" aria-label="Fault lab">
      {isOn(known) && <LabStanding />}
    </div>
  );
}
