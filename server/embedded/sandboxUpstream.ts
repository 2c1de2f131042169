import { LRUCache } from 'lru-cache';
import { isLoopback } from '#server/http/networks.ts';
import { applicationNamed, credentialsOf } from '#server/sandbox/credentials.ts';
import { signedQuery } from '#server/sandbox/pages/signedUrl.ts';
import type { UpstreamConfig, Workspaces } from '#server/upstream/config.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { transferPath } from '#server/sandbox/payment/transferRequest.ts';
import { defaultWorkspace } from '#server/http/user.ts';

/** Addresses of this machine, from which an embedded sandbox delivers webhooks. */
export const thisMachine = ['127.0.0.0/8', '::1'];

/** Where the sandbox is. */
export interface SandboxPlace {
  /** The URL at which the console calls the sandbox, without a path. */
  url: string;
  /** The URL at which browsers reach it, if different. */
  publicUrl?: string | undefined;
  /** The secret from which its credentials are derived. */
  secret: string;
  /** Whether it runs as a separate process, which the console reaches only over HTTP. */
  isApart?: boolean;
  /**
   * Addresses and networks from which its webhooks come. Default: those of this machine if `url` is on it, otherwise
   * any.
   */
  sources?: readonly string[];
}

/**
 * Returns the configuration of a workspace for the sandbox, which takes the place of all hosts of the service. Each
 * workspace has its own application.
 */
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
    authorizeUrl: visited + pathOf('authorize'),
    userInfoUrl: own + pathOf('userInfo'),
    clientId: credentials.clientId,
    providerUrl: visited,
    providerOrigins: [new URL(publicUrl).origin],
    transferUrl: visited + transferPath,
    webhook: {
      secret: credentials.webhookSecret,
      header: credentials.webhookHeader,
      ...(known && { sources: known }),
    },
    lab: {
      url: own,
      token: credentials.resetToken,
      isApart,
      home: (now) => `${visited}/${signedQuery(credentials.resetToken, now)}`,
    },
  };
}

/** Maximum number of workspaces whose configuration stays in memory; deriving credentials takes several hashes. */
const mostWorkspaces = 1000;

/** Gives each user's workspace its own application of the sandbox; an application has its workspace's name. */
export function sandboxWorkspaces(place: SandboxPlace): Workspaces {
  const configurations = new LRUCache<string, UpstreamConfig>({
    max: mostWorkspaces,
    memoMethod: (workspace) => sandboxUpstream(place, workspace),
  });
  return { upstreamOf: (workspace) => configurations.memo(workspace), workspaceOf: applicationNamed };
}
