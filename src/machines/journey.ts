import type { Facts, MadeKind } from '#contract/facts.ts';
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

/** One journey: a page of the console, and what its machine requires and provides (behaviour, sections 2 and 6). */
export interface Journey {
  id: string;
  /** The route (behaviour, section 2). */
  path: `/${string}`;
  /** The menu label and, unless the page has its own, its heading. */
  title: string;
  /** The name used outside the menu group, if the title alone is not clear there. */
  name?: string;
  /** Absent for the one page that is not in the menu (behaviour, section 2). */
  group?: MenuGroup;
  /** The page's heading, a verb phrase; absent if the title is one. */
  heading?: string;
  /** The purpose of the step, and what the next step needs from it; '' where the heading says it. */
  purpose: string;
  /** One sentence: what the step does and which call it makes. */
  summary: string;
  /** Hard requirements, each a gate, in the order in which the gates are checked. */
  requires: readonly RequirementId[];
  /** Soft order: journeys that are recommended before this one. */
  after: readonly string[];
  /** What success provides; the first entry decides whether the step is done. */
  provides: readonly RequirementId[];
  /** What the page can still do from stored data while the service is unavailable; absent if nothing. */
  local?: string;
  /**
   * Membership of the guided path; 'network' only while the setting useNetwork is on, 'alternative' as a variant of
   * another row.
   */
  guided?: 'always' | 'network' | 'alternative';
  /** Why a row of the guided path is next, as a sentence. */
  whyNext?: (facts: Facts) => string;
  /** The label of the button that starts it as the next row; absent if the path's own label fits. */
  nextLabel?: (facts: Facts) => string;
  /** The short result of a row that is done: ids as their first eight and last four characters. */
  outcome?: (facts: Facts) => string;
  /** The status of the record that a row is about; '' if there is none yet. */
  status?: (facts: Facts) => string;
  /** Whether the result is this journey's own and not one of an alternative; absent if there is no alternative. */
  ownResult?: (facts: Facts) => boolean;
  /**
   * For a journey that can be done again: the label of the button that starts another one, and what that does to the first if it does
   * something.
   */
  another?: {
    label: string;
    effect?: string;
    /** It exists once: the result that there is comes first however the page is opened, also if its call is unknown. */
    asks?: true;
  };
  /** It creates nothing to show: its button leads on to the next step, and is there before the step is done. */
  continues?: true;
  /** The kind of resource that it creates or follows. */
  resource?: MadeKind;
  /** The query parameter that names the record which the page is about; another record opens the page anew. */
  about?: string;
  /** The id of the journey that lists its results. */
  list?: string;
}
