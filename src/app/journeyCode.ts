/** What the console's machine needs once a journey's page is opened; in one chunk with the steps. */
export { suppliedJourneys } from './ports/journeys.ts';
export { keepWalked } from './walks/kept.ts';
