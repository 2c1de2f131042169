/** The path from which the support bundle is downloaded. */
export const exportPath = '/api/timeline.zip';

/**
 * The paths from which calls of the service are downloaded, to send them again: those in a selection of the timeline, or with
 * `of=company` those that have brought the company from nothing to its last batch.
 */
export const collectionPaths = {
  postman: '/api/timeline.postman_collection.json',
  bruno: '/api/timeline.bruno.zip',
  httpFile: '/api/timeline.http',
} as const;

/** What runs a test that is made of a recorded call: Vitest, or Node's own runner (`node --test`). */
export const testRunners = ['vitest', 'node'] as const;
export type TestRunner = (typeof testRunners)[number];
