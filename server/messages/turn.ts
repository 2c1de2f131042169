import { serial, serialByName } from '#server/serially.ts';

/** Runs one function at a time: for storing and deciding messages and storing webhooks. */
export const inTurn = serial();

/** Runs one function at a time per `messageId`, so that only one request sends a message. */
export const sendingInTurn = serialByName();
