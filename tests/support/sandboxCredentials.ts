import { credentialsOf } from '#server/sandbox/credentials.ts';
import { sandboxUpstream } from '#server/sandboxUpstream.ts';

export const sandboxSecret = 'the secret of the sandbox in tests';
export const sandboxCredentials = credentialsOf(sandboxSecret);

/** What the console needs of a service at `url` that has the credentials of the tests' sandbox. */
export const upstreamAt = (url: string) => sandboxUpstream(url, sandboxCredentials);
