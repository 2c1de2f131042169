import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { maskSecrets } from '#contract/secretShapes.ts';
import { decodeText } from '#rules/decodeText.ts';
import { printableLine } from '#rules/printable.ts';
import { UseError } from '#rules/useError.ts';
import { ConfigError } from '#server/config/configError.ts';
import { parseConfig } from '#server/config/config.ts';
import { parsedArguments, statusOf, type Output } from '#server/command.ts';
import { askConsole } from '#server/http/askConsole.ts';
import { createTransport } from '#server/upstream/transport.ts';
import { judge, readBaseline } from './baseline.ts';
import { compare } from './compare.ts';
import type { Source } from './exchange.ts';
import { readHar, sourceIn } from './har.ts';
import { readLive } from './live.ts';
import { jsonReport, junitReport, lines, statusOfDrift, type Drift } from './reports.ts';

const tokenVariable = 'PAYMENTS_COMPANY_TOKEN';

const help = `Compares what a service answered with its description (docs/drift.md).

  --har FILE         the answers in an HTTP archive: of the console's timeline, or of any program
  --console URL      the answers in the timeline of a console that is running
                     without either: reads from the live service that is configured (UPSTREAM=live)
  --subscription ID  also reads this subscription; the company's token is the variable ${tokenVariable}
  --batch ID         also reads this batch, with the same token
  --baseline FILE    accepted differences: a JSON list of call, path, expected, came and reason
  --report FORMAT    prints a report instead: junit or json
  --help             prints this text

Reads from the live service are GET only. Exit status: 0 no drift; 1 drift; 2 the service was unreachable or refused, or
there was nothing to compare.
`;

const options = {
  har: { type: 'string' },
  console: { type: 'string' },
  subscription: { type: 'string' },
  batch: { type: 'string' },
  baseline: { type: 'string' },
  report: { type: 'string' },
  help: { type: 'boolean' },
} as const;

interface Place {
  env: Readonly<Record<string, string | undefined>>;
}

function optionsOf(args: readonly string[]) {
  const { values } = parsedArguments({ args: [...args], options });
  const { har, console: address, subscription, batch, report } = values;
  if (har !== undefined && address !== undefined) throw new UseError('Give --har or --console, not both.');
  if ((har ?? address) !== undefined && (subscription ?? batch) !== undefined)
    throw new UseError('--subscription and --batch are read from the live service: leave out --har and --console.');
  if (report !== undefined && !['junit', 'json'].includes(report))
    throw new UseError(`--report is ${JSON.stringify(report)}: give junit or json.`);
  return values;
}

async function fileText(path: string, name: string): Promise<string> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new UseError(`${name} cannot be read: ${error.message}.`);
  });
  try {
    return decodeText(bytes, name);
  } catch (error) {
    throw new UseError(`${(error as Error).message}.`); // of decodeText
  }
}

const fromConsole = async (address: string): Promise<Source> =>
  sourceIn(await askConsole(address, '/api/timeline.har'), address);

type Options = ReturnType<typeof optionsOf>;

async function fromService({ subscription = '', batch = '' }: Options, env: Place['env']): Promise<Source> {
  const { live, proxies } = parseConfig(env);
  if (!live)
    throw new UseError(
      'No service is configured: set UPSTREAM=live with its addresses and credentials (docs/operating.md), or give --har or --console.',
    );
  const token = env[tokenVariable] ?? '';
  if (subscription + batch !== '' && token === '')
    throw new UseError(`${tokenVariable} is missing: --subscription and --batch need the company’s token.`);
  const transport = createTransport({ proxies });
  try {
    const records = { token, subscriptionId: subscription, batchId: batch };
    const source = await readLive(records, { config: live, transport, newId: randomUUID, now: () => new Date() });
    return { ...source, left: source.left.map((each) => maskSecrets(each)) };
  } finally {
    await transport.close();
  }
}

async function driftOf(asked: Options, env: Place['env']): Promise<Drift> {
  const { har, console: address, baseline } = asked;
  const startedAt = new Date().toISOString();
  // First, because a wrong file should not cost the reads.
  const accepted =
    baseline === undefined
      ? []
      : readBaseline(await fileText(baseline, `--baseline ${baseline}`), `--baseline ${baseline}`);
  const name = har === undefined ? (address ?? 'The live service') : `--har ${har}`;
  const source =
    har !== undefined
      ? readHar(await fileText(har, name), name)
      : address === undefined
        ? await fromService(asked, env)
        : await fromConsole(address);
  const { findings, ...comparison } = compare(source.exchanges);
  const judged = judge({ findings, ...comparison }, accepted);
  return { source: name, startedAt, ...comparison, ...judged, left: source.left };
}

async function run(args: readonly string[], env: Place['env'], print: Output['print']): Promise<number> {
  const asked = optionsOf(args);
  if (asked.help) {
    print(help);
    return 0;
  }
  const drift = await driftOf(asked, env);
  const told = lines(drift).map(printableLine);
  if (asked.report === undefined) print(`${told.join('\n')}\n`);
  else print(asked.report === 'json' ? jsonReport(drift) : junitReport(drift));
  return statusOfDrift(drift);
}

/** Runs the command with these arguments; resolves to its exit status (see `help`). */
export const main = (args: readonly string[], { env }: Place, { print, complain }: Output): Promise<number> =>
  statusOf(
    () => run(args, env, print),
    (line) => complain(printableLine(line)),
    [ConfigError],
    2,
  );
