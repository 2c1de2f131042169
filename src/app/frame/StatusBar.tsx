import { Box, chakra } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { smallWindow } from '#ui/Bar.tsx';
import { journeyOf, type JourneyId } from '#machines/journeys.ts';
import { withShortIds } from '#rules/shortId.ts';
import { pathnameOf } from '#rules/url.ts';
import { useFacts } from '../console/ConsoleProvider.tsx';

const plain = {
  fontSize: 'xs',
  lineHeight: '1.5rem',
  color: 'fg.muted',
  textAlign: 'start',
  cursor: 'pointer',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  minWidth: '0',
  _hover: { color: 'fg', textDecoration: 'underline' },
  '& b': { fontWeight: 'medium', color: 'fg' },
} as const;

const ItemLink = chakra(Link, { base: plain });
const Toggle = chakra('button', { base: plain });

/** How long (ms) a line is shown. */
const shownFor = 4000;

/** What was just downloaded, in words, for a few seconds; '' for nothing. Links that download and `saveFile` tell it. */
function useDownload(): string {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[download]') : null;
      if (link) setSaid(`Download started: ${link.download || pathnameOf(link.href).split('/').at(-1)}`);
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, []);
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(() => setSaid(''), shownFor);
    return () => clearTimeout(timer);
  }, [said]);
  return said;
}

function Item({ label, value, change }: { label: string; value: string; change: JourneyId }) {
  return (
    <ItemLink title={value} to={journeyOf(change).path}>
      {label}: <b>{withShortIds(value)}</b>
    </ItemLink>
  );
}

/**
 * The fixed bar at the bottom: five values, each a link to the page that changes it (behaviour, section 2), and, if
 * there is something to dock, the toggle of the dock above it.
 */
export function StatusBar({ docked, onDock }: { docked: boolean; onDock: (() => void) | null }) {
  const facts = useFacts();
  const settings = facts?.settings;
  const said = useDownload();
  return (
    <chakra.footer
      bg="bg"
      borderTopWidth="1px"
      px="6"
      minHeight="7"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="6"
      css={{
        [smallWindow]: {
          flexWrap: 'nowrap',
          overflowX: 'auto',
          scrollbarWidth: 'none',
          minHeight: '6',
          '& > *': { flex: 'none' },
        },
      }}
      aria-label="Status"
    >
      <Item label="Subscription" value={settings?.subscriptionId || 'unknown subscription'} change="authorisation" />
      <Item label="Provider" value={facts?.provider?.name || 'unknown provider'} change="authorisation" />
      <Item label="PR Ctry" value={settings?.providerCountry || 'unknown'} change="settings" />
      <Item label="FF Ctry" value={settings?.fileFormatCountry || 'unknown'} change="settings" />
      <Item label="Lang" value={settings ? settings.acceptLanguage || 'none' : 'unknown'} change="settings" />
      {/* Room for it is always there, so that nothing moves. */}
      <Box role="status" flex="1" minWidth="0" truncate textAlign="end" fontSize="xs" color="fg.muted">
        {said}
      </Box>
      {onDock && (
        <Toggle aria-expanded={docked} onClick={onDock}>
          Timeline <span aria-hidden="true">{docked ? '▾' : '▴'}</span>
        </Toggle>
      )}
    </chakra.footer>
  );
}
