import { pathOf } from '#contract/serviceCalls.ts';
import type { StepTable } from '../step.ts';
import { SettingsStep } from './SettingsStep.tsx';

/** How the journeys of this area present themselves. */
export const settingsSteps = {
  settings: {
    Step: SettingsStep,
    layout: 'form',
    address: pathOf('providers'),
  },
} as const satisfies StepTable;
