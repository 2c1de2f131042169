import type { JourneyId } from '#machines/journeys.ts';
import { steps } from '#steps/steps.ts';
import { StepHost } from './StepHost.tsx';

/** The page of a journey. */
export const JourneyPage = ({ id }: { id: JourneyId }) => <StepHost id={id} Step={steps[id].Step} />;
