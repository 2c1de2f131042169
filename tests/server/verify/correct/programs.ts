import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';

const isThere = (program: string): boolean =>
  (env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Programs that make no mistake, in other styles than the examples, with what each needs on this machine. */
const programs: readonly { style: string; command: readonly string[]; needs: readonly string[] }[] = [
  {
    style: 'Python, a key and a body for each invoice, no lock',
    command: ['python3', '-B', 'tests/server/verify/correct/pay.py'],
    needs: ['python3'],
  },
  {
    style: 'Python, an append-only journal and a lock that is broken when it is old',
    command: ['python3', '-B', 'tests/server/verify/correct/journal.py'],
    needs: ['python3'],
  },
  {
    style: 'Python, an outbox in SQLite with leases of a minute',
    command: ['python3', '-B', 'tests/server/verify/correct/outbox.py'],
    needs: ['python3'],
  },
  {
    style: 'PHP, a lock of the operating system',
    command: ['php', 'tests/server/verify/correct/pay.php'],
    needs: ['php'],
  },
  {
    style: 'Node, a run sends and the next one reads',
    command: ['node', 'tests/server/verify/correct/submit.mjs'],
    needs: ['node'],
  },
  {
    style: 'Node, three workers at a queue in a folder',
    command: ['node', 'tests/server/verify/correct/queue.mjs'],
    needs: ['node'],
  },
  {
    style: 'Node, a batch for each creditor, one attempt in a run, no result file',
    command: ['node', 'tests/server/verify/correct/creditors.mjs'],
    needs: ['node'],
  },
  {
    style: 'Node, readings on webhooks, before they are answered',
    command: ['node', 'tests/server/verify/correct/hooks.mjs'],
    needs: ['node'],
  },
  {
    style: 'Perl, a batch for each creditor, a state file that is replaced, no result file',
    command: ['perl', 'tests/server/verify/correct/pay.pl'],
    needs: ['perl'],
  },
  {
    style: 'Go, a routine for each invoice, under one lock',
    command: ['go', 'run', 'tests/server/verify/correct/pay.go'],
    needs: ['go'],
  },
  {
    style: 'a shell script without a result file',
    command: ['bash', 'tests/server/verify/correct/pay.sh'],
    needs: ['bash', 'curl', 'jq', 'openssl'],
  },
  {
    style: 'a cron job that never reads, and says unknown of what was accepted',
    command: ['bash', 'tests/server/verify/correct/cron.sh'],
    needs: ['bash', 'curl', 'jq', 'openssl', 'flock'],
  },
];

/** Those that can run here, by style. */
export const correctPrograms = programs
  .filter(({ needs }) => needs.every(isThere))
  .map(({ style, command }) => [style, command] as const);
