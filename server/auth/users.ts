import { createHash } from 'node:crypto';
import type { RecordKind } from '#server/storage/records.ts';

/** Who a workspace belongs to, for operators. */
export interface UserRecord {
  name: string;
  issuer: string;
  /** The user's id at the provider. */
  subject: string;
  /** ISO. */
  signedInAt: string;
}

/** One record of each workspace, stored at each sign-in under `userRecordId`. */
export const userRecords: RecordKind<UserRecord> = { kind: 'user', isOfWorkspace: true };
export const userRecordId = 'user';

/** A user's workspace; the same at every sign-in and different for every user. */
export const workspaceOf = (issuer: string, subject: string): string =>
  `user-${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 32)}`;
