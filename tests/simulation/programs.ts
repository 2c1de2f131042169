import { programPath, programTokenHeader } from '#contract/programs.ts';
import { headersOf, requests, type ServiceRequest } from '#contract/requests/requests.ts';
import { batchRequest } from '#rules/batch.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { LineError } from './line.ts';
import type { Company } from './onboard.ts';
import { consoleUrl } from './network.ts';
import { invoicesOf } from './users.ts';
import type { World } from './world.ts';

/** What a program was told of its payments. */
interface ProgramNotes {
  /** The ids that the service gave, by idempotency key. */
  paid: Map<string, Set<string>>;
  /** What is wrong by itself, a sentence each. */
  wrong: string[];
}
export const newProgramNotes = (): ProgramNotes => ({ paid: new Map(), wrong: [] });

/** How often a program repeats a call that was not answered, or not well. */
const mostTries = 5;

/** A program of the user's own, which pays through the console with its own keys, repeats, and reads its batches. */
export async function runsProgram(world: World, company: Company, notes: ProgramNotes): Promise<void> {
  const { scheduler, api } = world;
  const { between, chance } = scheduler.of('a program');
  const { applicationId, apiKey } = sandboxCredentials;

  /** Repeats a call until it succeeds; undefined if it does not. */
  async function repeated<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
    for (let turn = 0; turn < mostTries; turn += 1) {
      try {
        const answer = await ask();
        if (answer !== undefined) return answer;
      } catch (error) {
        if (!(error instanceof LineError)) throw error;
      }
      await scheduler.wait(between(100, 30_000));
    }
    return undefined;
  }
  const asUser = <T>(reply: { ok: true; answer: T } | { ok: false }): T | undefined =>
    reply.ok ? reply.answer : undefined;

  const made = await repeated(async () => asUser(await api.call('makeProgramToken', { body: { name: 'payouts' } })));
  const access = await repeated(async () => asUser(await api.call('getToken', { query: { reveal: 'true' } })));
  if (!made || !access) return;
  const { token, made: record } = made.data;
  const send = world.line('a program', '', { [programTokenHeader]: token });
  const call = (request: ServiceRequest): Promise<Response> =>
    send(consoleUrl + programPath + request.path, {
      method: request.method,
      headers: headersOf(request, { applicationId, apiKey, token: access.data.token }),
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    });

  for (let payment = between(1, 2); payment > 0; payment -= 1) {
    const key = crypto.randomUUID();
    const invoices = invoicesOf(company)
      .slice(0, between(1, 2))
      .map((each) => ({ ...each, invoiceId: `PRG-${key.slice(0, 8)}-${each.invoiceId}` }));
    const body = batchRequest({
      externalId: crypto.randomUUID(),
      invoices,
      today: new Date().toISOString().slice(0, 10),
      ...company,
    });
    const ids = new Set<string>();
    notes.paid.set(key, ids);
    const batchId = await repeated(async () => {
      const response = await call(requests.createBatch(body, key));
      if (!response.ok) return undefined;
      const answer = (await response.json()) as { data?: { batchId?: string } }; // of the service
      if (answer.data?.batchId !== undefined) ids.add(answer.data.batchId);
      return answer.data?.batchId;
    });
    await scheduler.wait(between(10, 20_000));
    if (batchId !== undefined && chance(0.7))
      await repeated(async () => (await call(requests.batch(batchId))).ok || undefined);
  }

  const revoked = await repeated(async () =>
    asUser(await api.call('revokeProgramToken', { params: { tokenId: record.tokenId } })),
  );
  if (!revoked) return;
  await scheduler.wait(between(10, 60_000));
  const late = await repeated(async () => (await call(requests.health('consumer'))).status);
  if (late !== undefined && late < 300)
    notes.wrong.push('A token was accepted after its revocation had been confirmed.');
}

/** Returns what is wrong with what programs were told, a sentence each. `isHonest`: whether the service gave no other answers. */
export async function wrongForPrograms(
  world: World,
  { paid, wrong }: ProgramNotes,
  isHonest: boolean,
): Promise<string[]> {
  const batches = await world.sandbox.batches();
  const told = [...paid].flatMap(([key, ids]) =>
    [...ids].flatMap((id) =>
      isHonest && !batches.some((each) => each.batchId === id && each.idempotencyKey === key)
        ? [`A program was told that the key ${key} made ${id}, which it did not.`]
        : [],
    ),
  );
  return [...wrong, ...told];
}
