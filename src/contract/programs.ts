/** The calls of programs of the user's own through the console (docs/rehearse.md). */

/** The header of a program's call that holds its token. */
export const programTokenHeader = 'x-console-token';
/** The path below which programs call; the service's own path follows. */
export const programPath = '/program';
/**
 * The header by which the console names a call that it passes to its embedded sandbox, which tells there what was wrong
 * with it.
 */
export const passedCallHeader = 'x-console-call';
/** Time (ms) for which a token is accepted, and the maximum number of tokens of a workspace. */
export const programTokenLife = 30 * 24 * 60 * 60_000;
export const mostProgramTokens = 10;
/** Maximum number of characters of a program's name. */
export const longestProgramName = 60;
