import type { Compilable, CompiledQuery, Kysely, LogEvent, Logger } from 'kysely';
import { own } from '#contract/member.ts';

/** Called after each statement, with its kind, whether it failed, and its duration (ms). */
export type OnStatement = (kind: StatementKind, failed: boolean, ms: number) => void;

const kinds = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
} as const;
type StatementKind = (typeof kinds)[keyof typeof kinds] | 'other';

/** Reports statements by Kysely's log. */
const reporting =
  (onStatement: OnStatement): Logger =>
  ({ level, query, queryDurationMillis }: LogEvent) => {
    const kind = own(kinds, query.query.kind) ? kinds[query.query.kind] : 'other';
    onStatement(kind, level === 'error', queryDurationMillis);
  };

/** Runs a select, and reports it. */
export function reported<T>(onStatement: OnStatement | undefined, run: () => T): T {
  if (!onStatement) return run();
  const begun = performance.now();
  let hasFailed = true;
  try {
    const result = run();
    hasFailed = false;
    return result;
  } finally {
    onStatement('select', hasFailed, performance.now() - begun);
  }
}

/** The option of Kysely that reports statements. */
export const logOf = (onStatement: OnStatement | undefined) => (onStatement ? { log: reporting(onStatement) } : {});

/** Stands in a select for a value that it is run with. */
class Given {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A select of a database with these tables that is compiled at its first run; `values` are those that it is run with. */
export type Select<Tables, Values, Found> = (db: Kysely<Tables>, values: Values) => CompiledQuery<Found>;

/**
 * Declares a select that runs often, because building and compiling one takes longer than running it. `given` stands for a
 * value that it is run with.
 */
export function selecting<Tables, Values extends object, Found>(
  build: (
    db: Kysely<Tables>,
    given: <Name extends keyof Values & string>(name: Name) => Values[Name],
  ) => Compilable<Found>,
): Select<Tables, Values, Found> {
  /** By their database, whose dialect they are in. */
  const compiledFor = new WeakMap<Kysely<Tables>, CompiledQuery<Found>>();
  return (db, values) => {
    const compiled = compiledFor.get(db) ?? build(db, (name) => new Given(name) as never).compile(); // a parameter, whatever it is
    compiledFor.set(db, compiled);
    const valueOf = (each: unknown): unknown => (each instanceof Given ? values[each.name as keyof Values] : each); // as given
    return { ...compiled, parameters: compiled.parameters.map(valueOf) };
  };
}
