import { credentialsOf } from '#server/sandbox/credentials.ts';
import { sandboxUpstream, sandboxWorkspaces } from '#server/embedded/sandboxUpstream.ts';

export const sandboxSecret = 'the secret of the sandbox in tests';
export const sandboxCredentials = credentialsOf(sandboxSecret);

/** The console's configuration for a service at `url` with the credentials of the tests' sandbox. */
export const upstreamAt = (url: string) => sandboxUpstream({ url, secret: sandboxSecret });
/** The same for users, each of whom has an application. */
export const workspacesAt = (url: string) => sandboxWorkspaces({ url, secret: sandboxSecret });
