/**
 * How long (ms) a control rests that has appeared where another one was pressed, so that the second press of a double
 * click does nothing.
 */
export const doubleClick = 500;

/** What the charts say of the end of that time. */
export const doubleClickPasses = 'Half a second passes';
