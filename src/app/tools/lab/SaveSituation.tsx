import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { calls } from '#contract/calls.ts';
import { asUser } from '#app/client/user.ts';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { presentStep } from './presentStep.ts';

/** The link that downloads the situation of the sandbox, with the present step. */
export function SaveSituation(props: { onClick?: () => void; children: ReactNode }) {
  const step = presentStep(useLocation(), useFacts());
  return <a {...props} href={asUser(calls.saveSituation.path, [['step', step]])} download="situation.json" />;
}
