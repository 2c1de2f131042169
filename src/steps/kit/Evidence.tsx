import { createContext, Suspense, use, type ReactNode } from 'react';

export interface EvidenceProps {
  /** What is told: what passed for a message, or the states that a batch went through. */
  of: 'message' | 'batch';
  /** Of the message's interaction, or of the batch. */
  id: string;
  /** What is said of the last state besides its name, such as how many payments failed. */
  ending?: string;
}

/** Null where nobody knows what passed. */
const Teller = createContext<((props: EvidenceProps) => ReactNode) | null>(null);
export const EvidenceProvider = Teller.Provider;

/** What passed, from the timeline; nothing where that is not known. */
export function Evidence(props: EvidenceProps) {
  const tell = use(Teller);
  return tell && <Suspense>{tell(props)}</Suspense>;
}
