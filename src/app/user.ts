import { told } from './told.ts';

/** The name of the user for whom the page was loaded; '' if no sign-in is required. */
export const userName = (): string => told('user');
/** Identifies the user, because two users may have the same name; '' if no sign-in is required. */
export const subject = (): string => told('subject');
