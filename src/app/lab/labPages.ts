export { RunBar } from '../runs/RunBar.tsx';
export { WalksPage } from '../runs/RunsPage.tsx';
export { LabPage } from './LabPage.tsx';
export { ProgramsPage } from './ProgramsPage.tsx';
