/** The execution date of a batch that is sent now: today in UTC. */
export const executionDate = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
