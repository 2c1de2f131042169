import { Box, Flex, Heading } from '@chakra-ui/react';
import { counted } from '#rules/counted.ts';
import { clockMinute, minuteText } from '../dates.ts';
import { useNow } from '../ticks.ts';

const minute = 60_000;
/** From this time (ms) before its end on, a life is about to end. */
const short = 5 * minute;

/** A life in words, and what is left of it: `share` from 0 to 1; unknown without a beginning or an end (NaN). */
export function lifeOf(from: number, to: number, now: number) {
  if (Number.isNaN(to)) return { title: 'Expiry unknown', label: 'Expiry unknown', share: 1, tone: 'next' as const };
  const left = Math.max(0, Math.ceil((to - now) / minute));
  const whole = Math.round((to - from) / minute);
  const end = clockMinute(new Date(to));
  return {
    title: left === 0 ? 'Expired' : left > 120 ? `Expires ${minuteText(new Date(to))}` : `Expires in ${left} min`,
    label: left === 0 ? `Expired at ${end}` : `Expires at ${end}; ${Number.isNaN(whole) ? counted(left, 'minute') : `${Math.min(left, whole)} of ${counted(whole, 'minute')}`} left`, // prettier-ignore
    share: Number.isNaN(whole) ? 1 : Math.min(1, Math.max(0, (left * minute) / (to - from))),
    tone: left === 0 ? ('failed' as const) : to - now < short ? ('waiting' as const) : ('next' as const),
  };
}

const looks = { next: 'accent', waiting: 'waiting', failed: 'plot.failed' } as const;
const marks = { next: '', waiting: '… ', failed: '✕ ' } as const;

/** How much of a token's life is left, from when it was issued to its expiry (ISO times, '' for unknown), by the minute. */
export function Life({ issuedAt, expiresAt }: { issuedAt: string; expiresAt: string }) {
  const [from, to] = [Date.parse(issuedAt), Date.parse(expiresAt)];
  const { title, label, share, tone } = lifeOf(from, to, useNow());
  const spent = `${(1 - share) * 100}%`;
  return (
    <div>
      <Flex justify="space-between" align="baseline" wrap="wrap" columnGap="4">
        <Heading as="h2" size="lg" color={tone === 'next' ? undefined : looks[tone]}>
          <span aria-hidden="true">{marks[tone]}</span>
          {title}
        </Heading>
        {!Number.isNaN(from) && (
          <Box fontSize="sm" color="fg.muted">
            Issued {minuteText(new Date(from))}
          </Box>
        )}
      </Flex>
      {!Number.isNaN(from) && !Number.isNaN(to) && (
        <Box role="img" aria-label={label} fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums" pt="3">
          <Box position="relative" height="2" bg="bg.muted" borderRadius="2px">
            <Box
              position="absolute"
              insetBlock="0"
              insetInlineEnd="0"
              borderRadius="2px"
              bg={looks[tone]}
              style={{ insetInlineStart: spent }}
              css={{ '@media (forced-colors: active)': { forcedColorAdjust: 'none', background: 'CanvasText' } }}
            />
            <Box position="absolute" top="-1" height="4" width="2px" bg="fg" style={{ insetInlineStart: spent }} />
          </Box>
          <Flex justify="space-between" pt="2">
            <span>{clockMinute(new Date(from))}</span>
            <span>{clockMinute(new Date(to))}</span>
          </Flex>
        </Box>
      )}
    </div>
  );
}
