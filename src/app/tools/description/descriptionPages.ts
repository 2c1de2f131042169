export { DriftPage } from './DriftPage.tsx';
export { ReferencePage } from './ReferencePage.tsx';
