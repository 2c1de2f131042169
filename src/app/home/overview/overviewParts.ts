/** The plots of the home page, as one chunk. */
export { Batches } from './Batches.tsx';
export { LastHour } from './LastHour.tsx';
export { PathCompleted } from './PathCompleted.tsx';
