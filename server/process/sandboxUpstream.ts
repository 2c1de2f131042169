import { isLoopback } from '../http/address.ts';
import { applicationNamed, credentialsOf } from '../sandbox/credentials.ts';
import { showingQuery } from '../sandbox/shown.ts';
import type { UpstreamConfig, Workspaces } from '../upstream/config.ts';
import { endpoints } from '../upstream/wire.ts';
import { defaultWorkspace } from '../workspace/workspaces.ts';

/** Addresses of this machine, from which an embedded sandbox delivers webhooks. */
export const thisMachine = ['127.0.0.0/8', '::1'];

/** Where the sandbox is. */
export interface SandboxPlace {
  /** The URL at which the console calls it, without a path. */
  url: string;
  /** The URL at which browsers reach it, if that is another one. */
  publicUrl?: string | undefined;
  /** From which its credentials are derived. */
  secret: string;
  /** Whether it is a process of its own, which tells the console nothing but by HTTP. */
  isApart?: boolean;
  /** Addresses and networks from which its webhooks come; by default those of this machine, or any for another one. */
  sources?: readonly string[];
}

/** The configuration of a workspace for the sandbox, which replaces all hosts of the service: each has an application. */
export function sandboxUpstream(
  { url, publicUrl = url, secret, isApart = false, sources }: SandboxPlace,
  workspace = defaultWorkspace,
): UpstreamConfig {
  const credentials = credentialsOf(secret, workspace);
  const [own, visited] = [url + credentials.path, publicUrl + credentials.path];
  const known = sources ?? (isLoopback(new URL(url).hostname) ? thisMachine : undefined);
  return {
    environment: 'sandbox',
    baseUrl: own,
    messagingUrl: own,
    networkUrl: own,
    authUrl: own,
    fileOrigins: [],
    ...(publicUrl !== url && { visitedAt: { from: publicUrl, to: url } }),
    applicationId: credentials.applicationId,
    apiKey: credentials.apiKey,
    signingKey: credentials.signingKey,
    authorizeUrl: visited + endpoints.authorize,
    userInfoUrl: own + endpoints.userInfo,
    clientId: credentials.clientId,
    providerUrl: visited,
    providerOrigins: [new URL(publicUrl).origin],
    transferUrl: visited + endpoints.transferRequest,
    webhook: {
      secret: credentials.webhookSecret,
      header: credentials.webhookHeader,
      ...(known && { sources: known }),
    },
    lab: {
      ...{ url: own, token: credentials.resetToken, isApart },
      home: (now) => `${visited}/${showingQuery(credentials.resetToken, now)}`,
    },
  };
}

/** The applications of a sandbox whose users have a workspace each: an application has its workspace's name. */
export const sandboxWorkspaces = (place: SandboxPlace): Workspaces => ({
  upstreamOf: (workspace) => sandboxUpstream(place, workspace),
  workspaceOf: applicationNamed,
});
