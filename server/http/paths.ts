/** The path for the service's webhooks (wire, section 6.3). */
export const notificationsPath = '/notifications';

/** The path to which logins at the identity provider return (wire, section 2.5). */
export const loginReturnPath = '/api/jwtredirect';

/**
 * Paths for signing in and out. The callback and signed-out URLs, below the public URL, must be registered with the
 * provider.
 */
export const signInPath = '/signin';
export const callbackPath = '/signin/callback';
export const signedOutPath = '/signedout';

/** Whether the process runs, and whether it can serve: its storage works, and it is not about to stop. */
export const [alivePath, readyPath] = ['/healthz', '/readyz'];
export const healthPaths: readonly string[] = [alivePath, readyPath];
