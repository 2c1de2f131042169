import { sessionKind, type Session } from '#machines/lab/session.ts';
import { decodeText } from '#rules/decodeText.ts';
import { importWithRetry } from '../client/importWithRetry.ts';
import { resource } from './resource.ts';

const notLive = 'This console uses a live service: open the file in a console that uses a sandbox.';

/** A session of the user's file. Where the service is live, none is read. */
export const sessionOf = (isSandbox: boolean) =>
  resource({
    kind: sessionKind,
    async read(file: File): Promise<Session> {
      if (!isSandbox) throw new Error(notLive);
      // Few open a file, and masking its secrets needs much code.
      const { readSession, sessionLimits } = await importWithRetry(() => import('#rules/harSession.ts'));
      if (file.size > sessionLimits.bytes)
        throw new Error(`It has ${file.size} bytes: give a file of at most ${sessionLimits.bytes} bytes.`);
      return { name: file.name, ...readSession(decodeText(new Uint8Array(await file.arrayBuffer()), 'The file')) };
    },
  });
