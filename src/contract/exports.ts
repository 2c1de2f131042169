/** The path from which the support bundle is downloaded. */
export const exportPath = '/api/timeline.zip';
