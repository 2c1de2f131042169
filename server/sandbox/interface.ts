import { faultPath } from '#contract/faults.ts';
import type { Sandbox, Situation } from './api.ts';
import type { Application } from './application.ts';
import type { Control } from './control.ts';
import type { SandboxCredentials } from './credentials.ts';
import type { FaultRule, KeptFaultRule } from './faultRules.ts';
import type { Recorder } from './records/recorder.ts';

interface Parts {
  url: string;
  credentials: SandboxCredentials;
  recorder: Pick<Recorder, 'calls' | 'webhooks'>;
  control: Control;
  within: (request: string | URL | Request, init?: RequestInit) => Promise<Response>;
  application: () => Pick<Application, 'clock'>;
  close: () => Promise<void>;
}

interface LabAnswer {
  data?: unknown;
  detail?: string;
}

/** Returns the interface of a sandbox: that of its default application. */
export function interfaceOf({ url, credentials, recorder, control, within, application, close }: Parts): Sandbox {
  let isClosed = false;
  /** Wraps a function, which then throws after `close`. */
  const open =
    <Args extends unknown[], Result>(run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (isClosed) throw new Error('The sandbox is closed: create another one with createSandbox()');
      return run(...args);
    };
  /** The same for functions that reject. */
  const opened =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> =>
      open(run)(...args);

  /** Makes a call of the fault lab; rejects with the reason of a refusal. */
  async function lab<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${credentials.resetToken}`, 'content-type': 'application/json' };
    const text = body && JSON.stringify(body);
    const response = await within(`${url}/sandbox${path}`, {
      method,
      headers,
      ...(text !== undefined && { body: text }),
    });
    const answer = await response.text();
    const { data, detail = answer } = (answer === '' ? {} : JSON.parse(answer)) as LabAnswer; // JSON, also of a problem
    if (!response.ok) throw new Error(detail);
    return data as Answer; // as the lab declares it
  }

  async function closeOnce(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await close();
  }

  const webhooks = Object.assign(open(recorder.webhooks), {
    send: opened(async (event: { type: string; data?: object; subscriptionId?: string }) => {
      const { webhookId } = await lab<{ webhookId: string }>('POST', '/webhooks', event);
      await control.settled();
      return webhookId;
    }),
  });

  const { applicationId, apiKey, signingKey, webhookSecret, webhookHeader, resetToken: controlToken } = credentials;
  return {
    url,
    credentials: { applicationId, apiKey, signingKey, webhookSecret, webhookHeader, controlToken },
    fetch: opened(within),
    prepare: opened((situation: Situation) => control.prepare(situation)),
    snapshot: opened(() => control.snapshot()),
    restore: opened(control.restore),
    reset: opened(control.reset),
    faults: {
      add: opened((rule: FaultRule) => lab<KeptFaultRule>('POST', '/faults', rule)),
      list: opened(() => lab<KeptFaultRule[]>('GET', '/faults')),
      remove: opened(async (ruleId: string) => lab<void>('DELETE', faultPath(ruleId))),
      clear: opened(() => lab<void>('DELETE', '/faults')),
    },
    clock: {
      now: open(() => application().clock.now()),
      advance: opened(control.advance),
      stop: opened(() => application().clock.stop()),
      run: opened(() => application().clock.run()),
    },
    calls: open(recorder.calls),
    webhooks,
    batches: opened(() => control.batches()),
    settled: opened(control.settled),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}
