import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { durationText } from '#rules/duration.ts';
import { StatusDot, type Tone } from '../Badge.tsx';
import { alongLine } from './line.ts';

/** A state that something has reached, and when (ms since the epoch). */
interface Reached {
  id: string;
  at: number;
  what: ReactNode;
  tone: Tone;
}

/** The share of the line from which on a gap has room for its length. */
const labelled = 0.12;

/** In one sentence: "Sent; Received after 42 ms; Completed after 1.9 s". A state without a text is named by its place. */
const sentence = (states: readonly Reached[]): string =>
  states
    .map(({ what, at }, index) => {
      const name = typeof what === 'string' ? what : `State ${index + 1}`;
      return index === 0 ? name : `${name} after ${durationText(at - (states[0]?.at ?? at))}`;
    })
    .join('; ');

/** How long each state lasted, as a line to scale; nothing for fewer than two states. The line is open while more may follow. */
export function Course({ states, open }: { states: readonly Reached[]; open: boolean }) {
  if (states.length < 2) return null;
  const { places, gaps } = alongLine(states.map(({ at }) => at));
  return (
    <Box role="img" aria-label={sentence(states)} pb="2">
      <Box position="relative" height="5" mx="2" fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
        {gaps.map(
          ({ middle, ms, share }, index) =>
            share >= labelled && (
              <Box
                key={index}
                position="absolute"
                left={`${middle * 100}%`}
                transform="translateX(-50%)"
                whiteSpace="nowrap"
              >
                {durationText(ms)}
              </Box>
            ),
        )}
      </Box>
      <Box position="relative" height="4" mx="2" me={open ? '6' : '2'}>
        {gaps.map(({ middle, share, isBroken }, index) => (
          <Box
            key={index}
            position="absolute"
            top="7px"
            left={`${(middle - share / 2) * 100}%`}
            width={`${share * 100}%`}
            borderTopWidth="2px"
            borderTopStyle={isBroken ? 'dotted' : 'solid'}
            borderColor="border.control"
          />
        ))}
        {open && (
          <Box
            position="absolute"
            top="7px"
            left="100%"
            width="5"
            borderTopWidth="2px"
            borderTopStyle="dashed"
            borderColor="waiting"
          />
        )}
        {states.map(({ id, tone }, index) => (
          <Box
            key={id}
            position="absolute"
            top="0"
            left={`${(places[index] ?? 0) * 100}%`}
            transform="translateX(-50%)"
          >
            <StatusDot tone={tone} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}
