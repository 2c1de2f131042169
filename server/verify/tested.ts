import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { serviceCalls } from '#contract/lab.ts';
import { systemClock } from '#server/clock.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { credentialsOf } from '#server/sandbox/credentials.ts';
import type { RecordedBatch, RecordedCall, RecordedDelivery, RecordedWebhook } from '#server/sandbox/recorded.ts';

const opOf = (method: string, path: string): string =>
  Object.entries(serviceCalls).find(
    ([, each]) =>
      (each.methods as readonly string[]).includes(method) &&
      new RegExp(`^${each.path.replaceAll('{}', '[^/]+')}$`).test(path),
  )?.[0] ?? '';

const headersOf = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));

export async function openTested({ webhookUrl, seed }: { webhookUrl: string; seed: number; port?: number }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'verify-'));
  const calls: RecordedCall[] = [];
  const webhooks: RecordedWebhook[] = [];
  const mistakes = new Map<string, readonly string[]>();
  const proxy = createServer().listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const relay = createServer((incoming, outgoing) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of incoming) parts.push(part as Buffer);
      const body = Buffer.concat(parts).toString();
      const at = Date.now();
      let status = 0;
      try {
        const answer = await fetch(webhookUrl, { method: 'POST', headers: headersOf(incoming), body, signal: AbortSignal.timeout(10_000) });
        status = answer.status;
      } catch {
        status = 0;
      }
      const id = headersOf(incoming)['webhook-id'] ?? '';
      const delivery: RecordedDelivery = { at, ms: Date.now() - at, status, headers: headersOf(incoming), body };
      const known = webhooks.find(({ webhookId }) => webhookId === id);
      if (known) (known.deliveries as RecordedDelivery[]).push(delivery);
      else webhooks.push({ webhookId: id, type: (JSON.parse(body) as { type: string }).type, deliveries: [delivery] });
      outgoing.writeHead(status || 204).end();
    })();
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const secret = `secret-${seed}-0123456789012345678901234567890`;
  const sandbox = await createSandbox({
    secret, data: dataDir, host: '127.0.0.1', port: 0, catalogue, machineClock: systemClock, newId: () => randomUUID(),
    log: pino({ level: 'silent' }),
    webhookUrl: `http://127.0.0.1:${(relay.address() as AddressInfo).port}/notifications`,
    config: { publicUrl: url },
    observe: ({ request, wrong }) => mistakes.set(String(request.headers['x-fapi-interaction-id'] ?? request.headers['x-nonce']), wrong),
  });
  const target = new URL(sandbox.url);
  proxy.on('request', (incoming: IncomingMessage, outgoing) => {
    const at = Date.now();
    const [path = '', query = ''] = (incoming.url ?? '').split('?');
    const number = path.startsWith('/sandbox') ? 0 : calls.length + 1;
    const call = {
      number, at, ms: 0, method: incoming.method ?? '', path, query, operation: opOf(incoming.method ?? '', path),
      headers: headersOf(incoming), body: '', status: 0, response: { headers: {} as Record<string, string>, body: '' },
      isDone: false, mistakes: [] as readonly string[], fault: undefined as string | undefined,
    };
    if (number > 0) calls.push(call as RecordedCall);
    const done = () => {
      call.ms = Date.now() - at;
      call.mistakes = mistakes.get(call.headers['x-fapi-interaction-id'] ?? call.headers['x-nonce'] ?? '') ?? [];
    };
    const onward = forward({ host: target.hostname, port: target.port, method: incoming.method, path: incoming.url, headers: { ...incoming.headers, host: target.host } });
    incoming.on('data', (part: Buffer) => { call.body += part.toString(); onward.write(part); });
    incoming.on('end', () => onward.end());
    onward.on('response', (answer) => {
      call.status = answer.statusCode ?? 0;
      call.response.headers = headersOf(answer);
      const fault = call.response.headers['x-sandbox-fault']?.split(';')[0];
      if (fault) call.fault = fault;
      outgoing.writeHead(call.status, answer.headers);
      outgoing.flushHeaders();
      answer.on('data', (part: Buffer) => { call.response.body += part.toString(); outgoing.write(part); });
      answer.on('end', () => { outgoing.end(); done(); });
      answer.on('error', () => { outgoing.destroy(); done(); });
    });
    onward.on('error', () => { outgoing.destroy(); done(); });
    outgoing.on('close', () => { if (!outgoing.writableEnded) { done(); } });
  });
  const credentials = credentialsOf(secret);
  const lab = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${sandbox.url}/sandbox${path}`, {
      method,
      headers: { authorization: `Bearer ${credentials.resetToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await answer.json().catch(() => ({}))) as { data?: unknown };
  };
  const rules: { kind: string; of: string }[] = [];
  return {
    url,
    credentials,
    lab,
    async setFault(rule: object) {
      rules.push({ kind: (rule as { fault: { kind: string } }).fault.kind, of: (rule as { of: string }).of });
      await lab('POST', '/faults', rule);
    },
    async batches(): Promise<RecordedBatch[]> {
      const { data } = await lab('GET', '/batches');
      const list = data as { batchId: string; companyId: string; status: string }[];
      const Database = (await import('libsql')).default;
      const db = new Database(join(dataDir, 'sandbox.sqlite'), { readonly: true });
      const rows = db.prepare("select * from resources where kind = 'batch'").all() as { id: string; value?: string; body?: string; data?: string }[];
      const keys = db.prepare('select key, body from stored_answers').all() as { key: string; body: string | null }[];
      db.close();
      return list.map((each) => {
        const row = rows.find((one) => Object.values(one).some((value) => value === each.batchId));
        const text = Object.values(row ?? {}).find((value) => typeof value === 'string' && value.startsWith('{')) as string;
        const record = JSON.parse(text) as { request: { externalId: string; payments: { instructedAmount: { amount: string; currency: string }; creditor: { creditorId?: string }; remittanceInformation?: { reference?: string } }[] }; payments: { paymentId: string; status: string }[] };
        const key = keys.find(({ body }) => body?.includes(each.batchId))?.key;
        return {
          batchId: each.batchId, companyId: each.companyId, externalId: record.request.externalId,
          idempotencyKey: key ? (JSON.parse(key) as string[])[2]! : '', status: each.status, at: 0,
          payments: record.request.payments.map((payment, index) => ({
            ...record.payments[index]!,
            amount: payment.instructedAmount.amount, currency: payment.instructedAmount.currency,
            creditorId: payment.creditor.creditorId ?? '', reference: payment.remittanceInformation?.reference ?? '',
          })),
        };
      });
    },
    async calls(): Promise<RecordedCall[]> {
      const batches = await this.batches();
      for (const call of calls) {
        const kinds = rules.filter(({ of }) => of === call.operation).map(({ kind }) => kind);
        const first = kinds[0];
        const mutable = call as { fault?: string; isDone: boolean };
        if (call.status === 0 && first && call.fault === undefined) mutable.fault = first;
        mutable.isDone = call.status >= 200 && call.status < 300 || (call.operation === 'createBatch' && batches.some(({ externalId }) => call.body.includes(externalId)));
      }
      return calls;
    },
    webhooks: () => Promise.resolve(webhooks),
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      relay.closeAllConnections();
      relay.close();
      await sandbox.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

export type Tested = Awaited<ReturnType<typeof openTested>>;
