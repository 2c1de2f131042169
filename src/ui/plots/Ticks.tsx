import { chakra, Box } from '@chakra-ui/react';

/** What has become of one of several tries. */
export type TickState = 'passed' | 'failed' | 'running' | 'open';

const Tick = chakra('i', {
  base: {
    width: '11px',
    height: '18px',
    borderRadius: '2px',
    borderWidth: '1px',
    borderColor: 'border.control',
    display: 'grid',
    placeItems: 'center',
    fontStyle: 'normal',
    fontSize: '9px',
    color: 'bg',
    '&[data-state=passed]': { bg: 'plot.done', borderColor: 'plot.done' },
    '&[data-state=failed]': { bg: 'plot.failed', borderColor: 'plot.failed' },
    '&[data-state=running]': {
      borderColor: 'waiting',
      backgroundImage: 'repeating-linear-gradient(135deg, var(--chakra-colors-waiting) 0 2px, transparent 2px 5px)',
    },
  },
});

/** One mark for each of several tries, in their order; `label` says in a sentence how many have passed and failed. */
export const Ticks = ({ states, label }: { states: readonly TickState[]; label: string }) => (
  <Box role="img" aria-label={label} display="flex" flexWrap="wrap" gap="1">
    {states.map((state, index) => (
      <Tick key={index} data-state={state}>
        {state === 'failed' && '✕'}
      </Tick>
    ))}
  </Box>
);
