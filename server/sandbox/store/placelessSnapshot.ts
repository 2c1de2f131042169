/** Stand for the addresses of a sandbox and of its receiver of webhooks, which differ with each start. */
const [ofSandbox, ofReceiver] = ['sandbox.invalid', 'receiver.invalid'];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Replaces hosts with their ports, also where they are encoded for a query. */
function replaced(text: string, hosts: readonly string[], by: string): string {
  const spellings = hosts.flatMap((host) => [host, host.replace(':', '%3A')]);
  return text.replaceAll(
    new RegExp(`(?<=^|[^\\w.]|%[\\da-f]{2})(?:${spellings.map(escaped).join('|')})(?!\\d)`, 'gi'),
    by,
  );
}

/** Returns functions that take the addresses of this machine out of a snapshot, and put those of a sandbox in. */
export function placelessSnapshots(url: string, webhookUrl: string) {
  const { host, port } = new URL(url);
  const own = port === '' ? [] : [host, ...['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)];
  const receiver = webhookUrl === '' ? '' : new URL(webhookUrl).host;
  const changed = <T>(value: T, change: (text: string) => string): T => JSON.parse(change(JSON.stringify(value))) as T; // of the same form

  return {
    withoutPlace: <T>(value: T): T =>
      changed(value, (text) => {
        const without = own.length === 0 ? text : replaced(text, own, ofSandbox);
        return receiver === '' ? without : replaced(without, [receiver], ofReceiver);
      }),
    withPlace: <T>(value: T): T =>
      changed(value, (text) =>
        text.replaceAll(ofSandbox, host).replaceAll(ofReceiver, receiver === '' ? ofReceiver : receiver),
      ),
  };
}
