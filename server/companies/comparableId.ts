/**
 * Returns an id of an application, organisation or company in the form in which it is compared (wire, section 2.2):
 * blanks around it do not reach the service, and letters count alike in capitals and small.
 */
export const comparableId = (id: string): string => id.trim().toLowerCase();

/** Whether two ids stand for the same application, organisation or company. */
export const isSameId = (one: string, other: string): boolean => comparableId(one) === comparableId(other);
