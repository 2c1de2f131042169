import { subject } from './user.ts';

let opened: BroadcastChannel | null = null;

/** The channel between the tabs of a user in one browser; null without a page, or where browsers have none. */
function channel(): BroadcastChannel | null {
  if (!('document' in globalThis && 'BroadcastChannel' in globalThis)) return null;
  return (opened ??= new BroadcastChannel(`changes ${subject()}`));
}

/** Tells the user's other tabs that this one has changed something, whatever became of the call. */
export const tellOtherTabs = (): void => channel()?.postMessage(null);

/** Calls a function when another tab has changed something. Returns how to stop it. */
export function hearOtherTabs(run: () => void): () => void {
  const from = channel();
  from?.addEventListener('message', run);
  return () => from?.removeEventListener('message', run);
}
