import { createContext, use, type ReactNode } from 'react';
import type { Made } from '#contract/facts.ts';
import { Id } from '#ui/CopyButton.tsx';
import { ResultCard } from '#ui/ResultCard.tsx';

export interface ResultProps {
  made: Made;
}

/** Renders what a step has created, with its history from the timeline; null without a frame. */
const View = createContext<((props: ResultProps) => ReactNode) | null>(null);
export const ResultProvider = View.Provider;

/** The resource that a step has created; without a frame, only its name and id. */
export function Result({ made }: ResultProps) {
  const view = use(View);
  return view ? (
    view({ made })
  ) : (
    <ResultCard title={made.name} values={{ Id: <Id value={made.id} what="the id" whole /> }} />
  );
}
