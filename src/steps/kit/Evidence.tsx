import { createContext, use, type ReactNode } from 'react';

export interface EvidenceProps {
  /** Whether to show the calls and webhooks of a message or the successive states of a batch. */
  of: 'message' | 'batch';
  /** Interaction id of the message, or id of the batch. */
  id: string;
  /** When the message was sent or the batch posted (an ISO time), if that is known without the timeline. */
  since?: string | undefined;
  /** A note on the last state, such as the number of failed payments. */
  ending?: string;
}

/** Renders evidence from the timeline; null without a timeline. */
const Teller = createContext<((props: EvidenceProps) => ReactNode) | null>(null);
export const EvidenceProvider = Teller.Provider;

/** The history of a message or batch from the timeline; renders nothing without a timeline. */
export function Evidence(props: EvidenceProps) {
  const tell = use(Teller);
  return tell?.(props);
}
