/** Where what passed can be taken away as a support bundle. */
export const exportPath = '/api/timeline.zip';
