import type { LogEvent, Logger } from 'kysely';
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

/** The option of Kysely that reports statements. */
export const logOf = (onStatement: OnStatement | undefined) => (onStatement ? { log: reporting(onStatement) } : {});
