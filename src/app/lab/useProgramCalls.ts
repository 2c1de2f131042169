import { useEffect } from 'react';
import { connection } from '../api/connection.ts';
import { publishRecordEvent, subscribeToRecord } from '../api/recordEvents.ts';

/** The page's own id of news that a program has called. */
const programNews = 'programs';

/** Tells actors that their readings are stale when the timeline has a new call of a program. */
export function useProgramCalls(actor: { send: (event: { type: 'facts.stale' }) => void }): void {
  useEffect(() => {
    const entries = connection.on('entry', ({ entry }) => {
      if (entry.kind === 'program') publishRecordEvent(programNews);
    });
    const leave = subscribeToRecord(programNews, () => actor.send({ type: 'facts.stale' }));
    return () => {
      entries.unsubscribe();
      leave();
    };
  }, [actor]);
}
