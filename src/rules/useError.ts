/** Wrong use of a command, or a reason for which it cannot run; the message says what is expected. */
export class UseError extends Error {
  override name = 'UseError';
}
