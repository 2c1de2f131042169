export { RunBar } from '../walks/RunBar.tsx';
export { WalksPage } from '../walks/WalksPage.tsx';
export { LabPage } from './LabPage.tsx';
export { ProgramsPage } from './ProgramsPage.tsx';
