/** The path from which the support bundle is downloaded. */
export const exportPath = '/api/timeline.zip';

/** The paths from which the calls of the service in a selection of the timeline are downloaded, to send them again. */
export const collectionPaths = {
  postman: '/api/timeline.postman_collection.json',
  bruno: '/api/timeline.bruno.zip',
  httpFile: '/api/timeline.http',
} as const;
