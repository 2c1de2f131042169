import { serial } from '#server/serially.ts';

/** Checking and keeping a message or a webhook, and deciding a message, must not come between each other. */
export const inTurn = serial();
