import { randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import type { JsonObject } from '#contract/json.ts';
import { maximumSnapshots, type Control } from './control.ts';
import type { SandboxCredentials } from './credentials.ts';
import { Problem } from './http/problem.ts';
import { routeControlCalls } from './http/routeControlCalls.ts';
import type { Recorder } from './records/recorder.ts';
import type { Webhooks } from './webhooks/sender.ts';

interface Deps {
  config: { publicUrl: string };
  credentials: SandboxCredentials;
  control: Control;
  recorder: Pick<Recorder, 'calls'>;
  webhooks: Pick<Webhooks, 'send'>;
  /** Returns the credentials of the application with this name. */
  credentialsFor: (name: string) => SandboxCredentials;
}

/** Routes for tests in other languages, which do over HTTP what `createSandbox` offers in the process (docs/sandbox.md). */
export function controlRoutes({ config, credentials, control, recorder, webhooks, credentialsFor }: Deps): Router {
  const own = config.publicUrl.slice(0, config.publicUrl.length - credentials.path.length);

  return routeControlCalls(credentials, {
    createApplication() {
      const { path, resetToken: controlToken, ...made } = credentialsFor(randomUUID());
      const { applicationId, apiKey, signingKey, webhookSecret, webhookHeader } = made;
      return {
        url: own + path,
        credentials: { applicationId, apiKey, signingKey, webhookSecret, webhookHeader, controlToken },
      };
    },
    listCalls: () => recorder.calls().map((call) => ({ ...call })),
    prepareSituation: async ({ situation }) => ({ ...(await control.prepare(situation)) }),
    async takeSnapshot() {
      const snapshotId = randomUUID();
      control.snapshots.set(snapshotId, await control.snapshot());
      if (!control.snapshots.has(snapshotId))
        throw new Problem(413, 'The snapshot is larger than 256 MB: empty the sandbox first');
      return { snapshotId };
    },
    async restoreSnapshot(_, snapshotId) {
      const saved = control.snapshots.get(snapshotId);
      if (!saved)
        throw new Problem(
          404,
          `There is no snapshot ${snapshotId}; the latest ${maximumSnapshots} are kept, up to 256 MB`,
        );
      await control.restore(saved);
    },
    readSituation: () => control.moment(),
    async openSituation(moment) {
      await control.open(moment).catch((error: Error) => {
        throw new Problem(400, `The sandbox was not changed: ${error.message}`);
      });
    },
    async sendWebhook({ type, data = {}, subscriptionId = '' }) {
      const webhookId = await webhooks.send({ type, data: data as JsonObject, subscriptionId });
      if (webhookId === undefined)
        throw new Problem(409, 'The sandbox has no receiver of webhooks: set webhookUrl or WEBHOOK_URL');
      return { webhookId };
    },
  });
}
