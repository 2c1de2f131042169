import { Box, chakra } from '@chakra-ui/react';
import { Fragment } from 'react';

/** A place on the way: a page, a record or a file. */
interface Place {
  title: string;
  /** Its lines; without them it has bars where its contents will be. */
  lines?: readonly string[];
  /** One line below it. */
  under?: string;
}

const signs = {
  done: { mark: '✓', color: 'done' },
  failed: { mark: '✕', color: 'failed' },
  differs: { mark: '≠', color: 'waiting' },
} as const;

/** What leads from a place to the next one; `back`: what returns from there. */
interface Leg {
  text?: string;
  back?: string;
  /** What was found there, in place of the arrow. */
  sign?: keyof typeof signs;
}

const Sheet = chakra('div', {
  base: { borderWidth: '1px', borderColor: 'border.control', borderRadius: 'md', bg: 'bg', overflow: 'hidden' },
});

/** A line whose text is not known yet. */
const Stroke = chakra('i', {
  base: {
    display: 'block',
    height: '1.5',
    mb: '2.5',
    borderRadius: 'full',
    bg: 'border',
    '@media (forced-colors: active)': { forcedColorAdjust: 'none', background: 'GrayText' },
  },
});

function Sketch({ title, lines = [], under }: Place) {
  return (
    <Box flex="1 1 0" minWidth="0" maxWidth="11rem">
      <Sheet>
        <Box px={{ base: '2', sm: '3' }} py="1" borderBottomWidth="1px" fontWeight="medium" overflowWrap="anywhere">
          {title}
        </Box>
        <Box px="3" py="3" minHeight={{ base: '3.5rem', sm: '5.5rem' }}>
          {lines.map((line) => (
            <Box key={line} color="fg.muted" truncate hideBelow="sm">
              {line}
            </Box>
          ))}
          <Box {...(lines.length > 0 && { hideFrom: 'sm' })}>
            {['100%', '75%', '90%'].map((width) => (
              <Stroke key={width} style={{ width }} />
            ))}
          </Box>
        </Box>
      </Sheet>
      {under !== undefined && (
        <Box color="fg.muted" textAlign="center" pt="2" hideBelow="sm">
          {under}
        </Box>
      )}
    </Box>
  );
}

/** An arrow to the right, or to the left. */
const Arrow = ({ back = false }: { back?: boolean }) => (
  <Box color="accent" {...(back && { transform: 'scaleX(-1)' })}>
    <svg
      width="100%"
      height="12"
      viewBox="0 0 96 12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      preserveAspectRatio="xMaxYMid slice"
      aria-hidden="true"
    >
      <path d="M-400 6H94M88 1.5 94 6l-6 4.5" />
    </svg>
  </Box>
);

const Between = chakra('div', {
  base: {
    flex: '1 1 0',
    minWidth: '6',
    maxWidth: '9rem',
    display: 'grid',
    gap: '1',
    textAlign: 'center',
    color: 'fg.muted',
    pt: '7',
    '& > span': { hideBelow: 'sm' },
  },
});

/** From place to place: what will happen here, or what has. `label` says the same in a sentence. */
export function Way(props: { label: string; places: readonly Place[]; legs: readonly Leg[] }) {
  const { label, places, legs } = props;
  return (
    <Box
      role="img"
      aria-label={label}
      display="flex"
      alignItems="flex-start"
      justifyContent="center"
      gap={{ base: '2', sm: '4' }}
      fontSize="sm"
      lineHeight="sm"
      width="full"
    >
      {places.map((place, index) => {
        const leg = legs[index];
        return (
          <Fragment key={place.title}>
            <Sketch {...place} />
            {leg && (
              <Between>
                {leg.sign ? (
                  <Box fontSize="2xl" lineHeight="2xl" color={signs[leg.sign].color}>
                    {signs[leg.sign].mark}
                  </Box>
                ) : (
                  <Arrow />
                )}
                {leg.text !== undefined && <span>{leg.text}</span>}
                {leg.back !== undefined && (
                  <>
                    <Arrow back />
                    <span>{leg.back}</span>
                  </>
                )}
              </Between>
            )}
          </Fragment>
        );
      })}
    </Box>
  );
}
