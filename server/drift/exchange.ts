/** The text of a body, or why none can be compared. */
export type ReceivedBody = string | { unread: string };

/** What a service answered to a call, or a webhook that it sent. */
export type Exchange = {
  /** When it happened, as an ISO time; '' if unknown. */
  at: string;
  /** The id of its entry in the timeline, if it has one. */
  entry?: string;
  body: ReceivedBody;
} & (
  | {
      kind: 'answer';
      method: string;
      path: string;
      status: number;
      type: string;
      /** The content coding of an answer to a request that allows none. */
      unaskedCoding?: string;
    }
  | { kind: 'webhook' }
);

/** What is read of a source, and what of it cannot be compared, in sentences. */
export interface Source {
  exchanges: readonly Exchange[];
  left: readonly string[];
}
