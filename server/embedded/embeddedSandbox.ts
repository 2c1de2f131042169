import { isIP } from 'node:net';
import type { Config } from '#server/config/config.ts';
import { createObservedCalls } from '#server/programs/observedCalls.ts';
import type { ObservedCalls } from '#server/programs/observedCalls.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { postVia } from '#server/sandbox/webhooks/transport.ts';
import type { ConsoleOptions } from '#server/sandbox/options.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import type { AnsweredCall } from '#server/sandbox/records/recorder.ts';
import type { Clock } from '#server/clock.ts';
import { sandboxSecretOf } from './secretFile.ts';
import { thisMachine } from './sandboxUpstream.ts';
import type { SandboxPlace } from './sandboxUpstream.ts';
import { loginReturnPath, notificationsPath } from '#server/http/paths.ts';
import type { InjectedFaults } from '#server/upstream/injectedFaults.ts';

/** Returns the options of a sandbox for its public URL and trusted hosts, and the URLs to which its logins return. */
export const reachedAt = ({
  sandboxHost,
  sandboxUrl,
  sandboxPublicUrl,
  sandboxEveryDay,
  publicUrl,
  allowedHosts,
  trustedProxies,
}: Config) => ({
  trustedProxies,
  ...(sandboxPublicUrl !== undefined && { publicUrl: sandboxPublicUrl }),
  ...(sandboxEveryDay !== undefined && { everyDay: sandboxEveryDay }),
  allowedHosts: [sandboxHost, ...(sandboxUrl === undefined ? [] : [new URL(sandboxUrl).hostname]), ...allowedHosts],
  redirectUris: publicUrl === undefined ? [] : [publicUrl + loginReturnPath],
});

/** The latest calls of an application's programs that are judged, and the maximum length of their bodies. */
const [mostRecorded, longestRecorded] = [200, 32 * 1024];

/** The sandbox that a console uses. */
interface UsedSandbox {
  place: SandboxPlace;
  /** If it is embedded: its URL, and its reports on calls. */
  embedded?: {
    url: string;
    observedCalls: ObservedCalls;
    injectedFaults: InjectedFaults;
    recordsOf: (workspace: string) => Promise<RecordedApplication>;
  };
  close(): Promise<void>;
}

interface Needs
  extends
    Required<Pick<ConsoleOptions, 'newId' | 'log'>>,
    Pick<ConsoleOptions, 'labChanged' | 'isOwn' | 'acceptLoss' | 'metrics'> {
  /** Called with each call that a program makes straight to the sandbox, and the name of its application. */
  onCall: (call: AnsweredCall, application: string) => void;
  clock: Clock;
  config: Config;
  /** The URL at which the console listens. */
  consoleUrl: string;
}

/** Opens the embedded sandbox unless a separate one is configured. Rejects as createSandbox does. */
export async function useSandbox({ config, consoleUrl, clock, ...needs }: Needs): Promise<UsedSandbox> {
  const { host, sandboxUrl, sandboxPublicUrl: publicUrl } = config;
  const { secret, keep } = sandboxSecretOf(config);
  if (sandboxUrl !== undefined)
    return { place: { url: sandboxUrl, publicUrl, secret, isApart: true }, close: () => Promise.resolve() };
  const observedCalls = createObservedCalls(needs.newId);
  const sandbox = await createSandbox({
    ...needs,
    machineClock: clock,
    secret,
    addressesOf: observedCalls.addressesOf,
    onCall(call, application) {
      if (call.forwardedAs === '') needs.onCall(call, application);
      else observedCalls.found(call.forwardedAs, call.findings);
    },
    recorded: mostRecorded,
    longestRecorded,
    data: config.dataDir,
    storeUrl: config.sandboxStoreUrl,
    host: config.sandboxHost,
    port: config.sandboxPort,
    webhookUrl: config.webhookUrl ?? consoleUrl + notificationsPath,
    config: reachedAt(config),
    transport: postVia(config.proxies),
  });
  keep();
  const { url, recordsOf, takeFault } = sandbox;
  return {
    place: { url, publicUrl, secret, sources: isIP(host) ? [...thisMachine, host] : thisMachine },
    embedded: { url, observedCalls, injectedFaults: { take: takeFault }, recordsOf },
    close: () => sandbox.close(),
  };
}
