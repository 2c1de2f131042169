/** Codes of Node's errors that an answer meets when its client has closed the connection. */
const codes = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'];

/** Whether an answer failed because its client has left, as a page that is closed or reloaded does, which is no fault. */
export const hasLeft = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
