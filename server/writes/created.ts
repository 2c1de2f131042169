import { isObject } from '#contract/json.ts';
import { creationOf } from '#contract/serviceCalls.ts';
import { textAt } from '#rules/path.ts';
import { Failure } from '#server/failure.ts';
import type { Write as Row, Writes } from '#server/storage/writes.ts';

/** What a write has created, by the answer that was believed; undefined if it creates nothing. */
export function createdIn(call: string, answer: unknown) {
  const { kind, member } = creationOf(call) ?? {};
  const id = member && isObject(answer) && (textAt(answer, member) || textAt(answer, `data.${member}`));
  return kind && id ? { kind, id } : undefined;
}

/** What each kind is called in a sentence. */
const nounOf = (kind: string): string => (kind === 'dataset' ? 'data set' : kind);

/** Maximum number of characters shown of an id. */
const shown = 200;

/** Throws `upstream-invalid` if another write of this server has received the id before, for any user or company. */
export async function requireNew(writes: Writes, row: Row, created: ReturnType<typeof createdIn>): Promise<void> {
  const first = created && (await writes.creatorOf(created.kind, created.id));
  if (!first || first.position === row.position) return;
  throw new Failure(
    'upstream-invalid',
    `The answer names ${nounOf(created.kind)} ${created.id.slice(0, shown)}, which the service has returned to an earlier request already. It does not say whether this request took effect.`,
    { interactionId: row.serviceKey },
  );
}
