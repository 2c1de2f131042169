import type { KeptRule } from '#contract/controlShapes.ts';
import { sandboxCredentials } from './sandboxCredentials.ts';

/** The fault lab of the sandbox at this URL, driven over HTTP as by a script, by `send`. */
export function labAt(url: string, token = sandboxCredentials.resetToken, send: typeof fetch = fetch) {
  async function ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await send(`${url}/sandbox${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as { data: unknown }).data; // every answer of the lab has data
  }
  return {
    ask,
    /** Sets a rule; what it leaves out has its default. */
    set: async (rule: object) => (await ask('POST', '/faults', rule)) as KeptRule, // the answer to this call
    remove: (ruleId: string) => ask('DELETE', `/faults/${ruleId}`),
    rules: async () => (await ask('GET', '/faults')) as KeptRule[], // likewise
    stop: () => ask('DELETE', '/faults'),
  };
}
