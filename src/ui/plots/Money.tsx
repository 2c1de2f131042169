import { Box } from '@chakra-ui/react';
import { member } from '#contract/member.ts';
import type { Outcome } from '#rules/batch.ts';

/** A part of a bar: its amount (major units, of one currency), what has become of it if it is known, and its name for the tooltip. */
export interface Part {
  amount: number;
  outcome: Outcome | 'unknown';
  title?: string;
}

/** From this number of parts on, one part stands for each outcome. */
const mostParts = 60;
/** The share of a bar from which on a part has room for its cross. */
const crossed = 0.03;
const order = ['paid', 'open', 'unknown', 'returned', 'failed'] as const;

/** The parts as they are drawn: paid ones first; one for each outcome if they are too many. */
export function drawnParts(parts: readonly Part[]): Part[] {
  if (parts.length <= mostParts)
    return parts.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome) || b.amount - a.amount);
  return order
    .map((outcome) => {
      const same = parts.filter((part) => part.outcome === outcome);
      return { outcome, amount: same.reduce((sum, { amount }) => sum + amount, 0), count: same.length };
    })
    .filter(({ count }) => count > 0);
}

const looks = {
  paid: { bg: 'plot.done' },
  open: {
    backgroundImage: 'repeating-linear-gradient(135deg, var(--chakra-colors-waiting) 0 3px, transparent 3px 6px)',
  },
  unknown: { bg: 'plot.read' },
  returned: { bg: 'waiting' },
  failed: { bg: 'plot.failed' },
} as const;

const signs = { returned: '↩', failed: '✕' } as const;

/**
 * Parts of an amount, each as wide as it is large; those that failed have a cross, those that came back an arrow, those in progress are hatched. `label` says
 * the same in a sentence. `share`: the width of the whole, from 0 to 1.
 */
export function Money(props: { parts: readonly Part[]; label: string; height: string; share?: number }) {
  const { parts, label, height, share = 1 } = props;
  const whole = parts.reduce((sum, { amount }) => sum + amount, 0);
  return (
    <Box role="img" aria-label={label} display="flex" gap="2px" height={height} width={`${share * 100}%`} minWidth="1">
      {drawnParts(parts).map(({ amount, outcome, title }, index) => (
        <Box
          key={index}
          title={title}
          minWidth="3px"
          flexBasis="0"
          style={{ flexGrow: whole > 0 ? (amount / whole) * 1000 : 1 }}
          display="grid"
          placeItems="center"
          overflow="hidden"
          borderRadius="2px"
          color="bg"
          fontSize="10px"
          lineHeight="1"
          outlineOffset="-1px"
          css={{ '@media (forced-colors: active)': { outline: '1px solid CanvasText' } }}
          {...looks[outcome]}
        >
          {member(signs, outcome) && amount >= whole * crossed && (
            <span aria-hidden="true">{member(signs, outcome)}</span>
          )}
        </Box>
      ))}
    </Box>
  );
}
