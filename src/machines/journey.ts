import type { RequirementId } from './requirements.ts';

/** Menu groups in the order of the top bar (behaviour, section 1). */
export const menuGroups = [
  'Misc',
  'Org/Comp',
  'Acct/DataSet',
  'Subscriptions',
  'Rules',
  'Debtors/Creditors',
  'Payments',
] as const;
export type MenuGroup = (typeof menuGroups)[number];

/** One journey: a page of the console and what its machine requires and provides (behaviour, sections 2 and 6). */
export interface Journey {
  id: string;
  /** The route (behaviour, section 2). */
  path: `/${string}`;
  /** The menu label, also the page's heading. */
  title: string;
  /** What it is called where its group does not stand beside it, if the title alone says too little. */
  name?: string;
  /** Absent for the one page that is not listed in the menu (behaviour, section 2). */
  group?: MenuGroup;
  /** One sentence: what the step does and which call it makes. */
  summary: string;
  /** Hard requirements in the order in which they speak: each is a gate. */
  requires: readonly RequirementId[];
  /** Soft order: journeys that sensibly come before. */
  after: readonly string[];
  /** What success gives; the first says whether the step is done. */
  provides: readonly RequirementId[];
  /** What of the page works while the service is down, if it does without: it works on what is kept here. */
  local?: string;
  /** A row of the guided path; 'network' only while the setting useNetwork is on, 'alternative' beside another row. */
  guided?: 'always' | 'network' | 'alternative';
}
