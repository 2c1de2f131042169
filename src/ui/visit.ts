import type { Location } from 'react-router-dom';

const stateOf = ({ state }: Location) => state as { visit?: string } | null; // only this program writes it

/** The id of one visit to a page; it stays the same when only the page's query parameters are replaced. */
export const visitOf = (location: Location): string => stateOf(location)?.visit ?? location.key;

/** The router's state for a changed address that belongs to the same visit as `location`. */
export const sameVisit = (location: Location) => ({ ...stateOf(location), visit: visitOf(location) });
