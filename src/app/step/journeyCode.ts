/** What the console's machine needs once a journey's page is opened; in one chunk with the steps. */
export { suppliedJourneys } from '../effects/journeys.ts';
export { saveRecordedRun } from '../runs/recordedRuns.ts';
