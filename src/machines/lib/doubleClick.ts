/**
 * How long (ms) a control that replaces the one just pressed ignores clicks, so that the second click of a double click
 * does nothing.
 */
export const doubleClick = 500;

/** The chart's words for the transition after that delay. */
export const doubleClickPasses = 'Half a second passes';
