/** Constants for programs that call through the console (docs/sandbox.md). */

/** The header that contains the token of a program's call. */
export const programTokenHeader = 'x-console-token';
/** The path prefix of programs' calls; the service's own path follows. */
export const programPath = '/program';
/**
 * The header with the console's id of a call that it passes to its embedded sandbox, which reports the call's mistakes
 * under that id.
 */
export const passedCallHeader = 'x-console-call';
/** Time (ms) for which a token is accepted, and the maximum number of tokens of a workspace. */
export const programTokenLife = 30 * 24 * 60 * 60_000;
export const mostProgramTokens = 10;
/** The variables from which copied code reads its secrets, with what they hold. */
export const copiedVariables = {
  API_KEY: 'the API key',
  APPLICATION_SIGNING_KEY: 'the signing key of the application',
  SIGNING_KEY: 'the signing key of the organisation',
  ORGANISATION_TOKEN: 'an access token of the organisation',
  TOKEN: 'the access token',
  USER_TOKEN: 'the user token',
  WEBHOOK_KEY: 'the key of the webhooks',
} as const;
export type CopiedVariable = keyof typeof copiedVariables;
/** Maximum number of characters of a program's name. */
export const longestProgramName = 60;
