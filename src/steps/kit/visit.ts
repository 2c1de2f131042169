import type { Location } from 'react-router-dom';

const stateOf = ({ state }: Location) => state as { visit?: string } | null; // only this program writes it

/** Names one visit to a page: it stays the same while only the view of a list changes in the address. */
export const visitOf = (location: Location): string => stateOf(location)?.visit ?? location.key;

/** The router's state for an address that is the same visit as `location`. */
export const sameVisit = (location: Location) => ({ ...stateOf(location), visit: visitOf(location) });
