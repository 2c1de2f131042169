import { serial, serialByName } from '#server/serially.ts';

/** Checking and keeping a message or a webhook, and deciding a message, must not come between each other. */
export const inTurn = serial();

/** A message, named by its messageId, is never sent by two at once. */
export const sendingInTurn = serialByName();
