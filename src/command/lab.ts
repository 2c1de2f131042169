import { faultPath } from '#contract/faults.ts';
import type { LabBatch, SentWebhook } from '#contract/lab.ts';
import type { FaultRule, KeptRule } from '#contract/controlShapes.ts';
import type { ControlAnswer, ControlBody } from '#contract/controlCalls.ts';
import type { Lab } from '#runner/rehearse.ts';

/** How to read the sandbox's home page: directly on its own machine, or through the console with the user's cookie. */
interface Home {
  address: string;
  headers: Readonly<Record<string, string>>;
}

/** Reads the control token from the sandbox's home page. */
async function controlToken(sandbox: string, { address, headers }: Home): Promise<string> {
  const page = await (await fetch(address, { headers })).text();
  const [, token] = /<dt>control token[^<]*<\/dt>\s*<dd>\s*<code>([^<\s]+)<\/code>/.exec(page) ?? [];
  if (token === undefined) throw new Error(`The sandbox at ${sandbox} shows no control token here`);
  return token;
}

/**
 * The fault lab of a sandbox, over HTTP (docs/sandbox.md). Rejects if the sandbox does not answer, or answers unexpectedly.
 */
export async function labOf(
  sandbox: string,
  home: Home = { address: sandbox, headers: {} },
): Promise<
  Lab & {
    remove: (ruleId: string) => Promise<void>;
    /** Sends an event of the caller's own, signed, to the receivers of webhooks. */
    send: (event: ControlBody<'sendWebhook'>) => Promise<ControlAnswer<'sendWebhook'>>;
  }
> {
  const token = await controlToken(sandbox, home);
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${sandbox}/sandbox${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The fault lab answers ${response.status} to ${method} ${path}: ${text}`);
    return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T; // docs/sandbox.md
  }
  return {
    set: (rule: FaultRule) => ask<KeptRule>('POST', '/faults', rule),
    rules: () => ask<KeptRule[]>('GET', '/faults'),
    remove: async (ruleId: string) => ask<void>('DELETE', faultPath(ruleId)),
    send: (event) => ask<ControlAnswer<'sendWebhook'>>('POST', '/webhooks', event),
    stop: () => ask<void>('DELETE', '/faults'),
    batches: () => ask<LabBatch[]>('GET', '/batches'),
    webhooks: () => ask<SentWebhook[]>('GET', '/webhooks'),
    move: (ms: number) => ask<void>('PATCH', '/clock', { move: ms }),
    resetClock: () => ask<void>('DELETE', '/clock'),
    everyDay: () => ask<void>('PATCH', '/clock', { everyDay: true }),
  };
}
