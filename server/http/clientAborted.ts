/** Codes of Node's errors for an answer whose client has closed the connection. */
const codes = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'];

/** Whether an answer failed only because its client hung up, as a page does that is closed or reloaded. */
export const isClientAborted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
