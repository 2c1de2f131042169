import { readFileSync } from 'node:fs';

/** A change of a file of the console, by which a fault that was mended comes back. */
interface Edit {
  file: string;
  from: string;
  to: string;
}

const believesRefusal: Edit = {
  file: 'server/upstream/strict.ts',
  from: '  if (!value) return flaw;\n  const status = value.status',
  to: "  if (!value) return flaw.startsWith('is ') ? flaw : '';\n  const status = value.status",
};
const verdictOf = (statuses: string): Edit => ({
  file: 'server/upstream/verdict.ts',
  from: `ranges: ${statuses},\n    verdict: 'unknown'`,
  to: `ranges: ${statuses},\n    verdict: 'refused'`,
});

/**
 * Faults that the console has had. Each is planted in worlds that run in a process of their own, and an invariant must fail in one
 * of them: `npm run simulate -- --planted NAME`.
 */
export const sourcePlants: Readonly<Record<string, readonly Edit[]>> = {
  'covered invoices are not looked up': [
    {
      file: 'server/writes/invoices.ts',
      from: '({ write, isFreed }) => write !== except && write > after && !isFreed,',
      to: '({ write }) => write !== except && write < after,',
    },
  ],
  'a time-out counts as not sent': [
    {
      file: 'server/calls/writeOutcome.ts',
      from: '    if (!reached(error)) Object.assign(attempt, before);',
      to: '    Object.assign(attempt, before);',
    },
  ],
  'an earlier unknown attempt is forgotten': [
    {
      file: 'server/calls/writeOutcome.ts',
      from: '  if (inDoubt || ofCopy || (sent && !refused)) return',
      to: '  if (ofCopy || (sent && !refused)) return',
    },
  ],
  'a failure of the service means that nothing was done': [verdictOf('[[500, 599]]'), believesRefusal],
  'refusals of 409 and 499 are believed': [verdictOf('one(409)'), verdictOf('one(407, 421, 499)'), believesRefusal],
  'the answer to another request is believed': [
    {
      file: 'server/upstream/writeReplies.ts',
      from: '  if (isOfAnother(reply)) refuseOther(',
      to: '  if (isOfAnother(reply) && !reply) refuseOther(',
    },
    {
      file: 'server/upstream/writeReplies.ts',
      from: '    if (other !== undefined) refuseOther(',
      to: '    if (other !== undefined && !body) refuseOther(',
    },
  ],
  'an id that another write received is believed': [
    {
      file: 'server/writes/journal.ts',
      from: '        await requireNew(writes, row, created);\n',
      to: '        const isNew = await requireNew(writes, row, created).then(\n() => true,\n() => false);\n',
    },
    // The table would refuse it too.
    {
      file: 'server/writes/journal.ts',
      from: '          exchange,\n          created,\n',
      to: '          exchange,\n          created: isNew ? created : undefined,\n',
    },
  ],
  'an answer that names two batches is believed': [
    {
      file: 'server/upstream/writeReplies.ts',
      from: '  if (elsewhere === undefined || second',
      to: '  if (elsewhere !== undefined || second',
    },
  ],
  'statuses are compared as written': [
    { file: 'src/contract/status.ts', from: 'byPlain.get(plainStatus(said)) ?? said', to: 'said' },
  ],
  'a batch that is failed in part frees all its invoices': [
    {
      file: 'server/payments/failures.ts',
      from: "const flaw = isFailure(status) ? flawOf(reply, batchId, sent) : '';\n  if (isFailure(status) && flaw === '')",
      to: "const flaw = isFailure(status) ? flawOf(reply, batchId, sent) : '';\n  if (leavesUnpaid(status))",
    },
  ],
  'an older answer replaces a newer one': [
    {
      file: 'server/companies/answers.ts',
      from: 'if (before && isOvertaken(before.asked)) return',
      to: 'if (before && isOvertaken(before.asked) && turns < 0) return',
    },
  ],
  'a batch that has ended goes back': [
    {
      file: 'src/contract/status.ts',
      from: 'stage < (stageOf(end) ?? 0) ? { status, ended: end }',
      to: 'stage < (stageOf(end) ?? 0) && !end ? { status, ended: end }',
    },
  ],
  'a slow answer seems to set the service’s clock back': [
    { file: 'server/calls/serviceClock.ts', from: 'earliest - tolerance - ms', to: 'earliest - tolerance' },
    {
      file: 'server/calls/serviceClock.ts',
      from: '        else if (date < earliest && ms > tolerance) return;\n',
      to: '',
    },
  ],
  'the age of a key is not looked at': [
    {
      file: 'server/calls/writeOutcome.ts',
      from: '  if (!window || window.remaining() > 0) return;',
      to: '  if (!window || window) return;',
    },
  ],
  'the service’s own clock is not looked at': [
    {
      file: 'server/calls/retryWindow.ts',
      from: 'const ageAtService = serviceTime === undefined ?',
      to: 'const ageAtService = serviceTime !== null ?',
    },
  ],
  'a batch that was read before a payment was sent settles it': [
    {
      file: 'server/payments/readBatch.ts',
      from: 'if (answered && Date.parse(answered.firstReadAt ?? answered.readAt) < row.claimedAt) return',
      to: 'if (answered && !answered) return',
    },
  ],
  'a server whose key another has taken over sends': [
    {
      file: 'server/writes/journal.ts',
      from: "        if (hold === 'lost') throwTakenOver(attempt);",
      to: "        if (hold === 'lost' && !row) throwTakenOver(attempt);",
    },
  ],
  'a key under which a request has begun is given again': [
    {
      file: 'server/payments/createBatch.ts',
      from: '    key: row?.key ?? newId(),\n    ...(row',
      to: "    key: row?.key ?? store.tag('key', ...facts.map(({ reference }) => reference)),\n    ...(row",
    },
  ],
  'a return that a webhook alone has told is forgotten': [
    {
      file: 'server/payments/readBatch.ts',
      from: '[...read, ...paymentsIn(heard ?? {})]',
      to: '[...read, ...paymentsIn({})]',
    },
  ],
  'an earlier reading makes a payment that came back one that was paid': [
    {
      file: 'src/rules/afterPaid.ts',
      from: "if (back && statusOf(textAt(payment, 'status')) === 'Completed')",
      to: "if (back && !payment && statusOf(textAt(payment, 'status')) === 'Completed')",
    },
  ],
  'a webhook without a right signature is believed': [
    {
      file: 'server/upstream/webhookSignature.ts',
      from: 'const signature = await wrongSignature(webhook, secret);',
      to: "const signature = webhook && secret ? '' : '';",
    },
  ],
};

/** Returns the changed files of a fault, by their paths. Throws an Error if one of its changes does not fit its file. */
export function changedFiles(name: string): Map<string, string> {
  const edits = sourcePlants[name];
  if (!edits) throw new Error(`No fault is called ${name}: there are ${Object.keys(sourcePlants).join(', ')}`);
  const texts = new Map<string, string>();
  for (const { file, from, to } of edits) {
    const parts = (texts.get(file) ?? readFileSync(file, 'utf8')).split(from);
    if (parts.length !== 2) throw new Error(`${name}: ${file} has ${parts.length - 1} times ${from}`);
    texts.set(file, parts.join(to));
  }
  return texts;
}
