const day = 24 * 60 * 60_000;
const today = Date.now();

/** The execution date so many days after today in UTC. */
export const executionDateAfter = (days: number): string =>
  `${new Date(today + days * day).toISOString().slice(0, 10)}T00:00:00Z`;

/** The execution date of a batch that is sent now: today in UTC. */
export const executionDate = executionDateAfter(0);
