import { labNews } from '#contract/constants.ts';
import { publishRecordEvent } from './recordEvents.ts';

/** Notifies this page's own listeners of the lab once the call has ended, because they may have no stream of news. */
export async function withLabEvent<T>(doing: Promise<T>): Promise<T> {
  try {
    return await doing;
  } finally {
    publishRecordEvent(labNews);
  }
}
