/** The path of the support bundle. */
export const exportPath = '/api/timeline.zip';
