export { RunBar } from '../runs/RunBar.tsx';
export { RunsPage } from '../runs/RunsPage.tsx';
export { LabStanding } from './LabStanding.tsx';
export { LabPage } from './LabPage.tsx';
export { ProgramsPage } from './ProgramsPage.tsx';
export { PractiseFailures } from './PractiseFailures.tsx';
export { simulateFailure } from '../runs/rehearsals.ts';
