import { serial, serialByName } from '#server/serially.ts';

/** Storing messages and webhooks and deciding messages run one after the other. */
export const inTurn = serial();

/** A message, by its messageId, is sent by one request at a time. */
export const sendingInTurn = serialByName();
