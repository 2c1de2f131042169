import { Box, Button, chakra, Flex, Link } from '@chakra-ui/react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { visitOf } from '#steps/kit/visit.ts';
import { useCallRecord } from './callRecord.ts';
import { useConsole } from './console.tsx';
import { Menu } from './Menu.tsx';
import { SignedIn } from './SignedIn.tsx';
import { useColourMode } from './theme/colourMode.ts';

/** The server writes it into the page, so that it is known whatever fails; the facts say it again. */
const environmentOfPage = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name=environment]')?.content ?? '';

function EnvironmentBadge() {
  const told = useConsole(({ context }) => context.facts?.environment);
  const environment = environmentOfPage() || told;
  if (!environment) return null;
  const live = environment === 'live';
  return (
    <Box
      as="strong"
      px="2"
      py="0.5"
      borderRadius="full"
      fontSize="sm"
      fontWeight="medium"
      bg={live ? 'failed' : 'accent.subtle'}
      color={live ? 'bg' : 'accent'}
    >
      {live ? 'Live: real payments' : 'Sandbox'}
    </Box>
  );
}

function ColourModeButton() {
  const [mode, toggle] = useColourMode();
  return (
    <Button
      variant="ghost"
      px="0"
      onClick={toggle}
      aria-label={mode === 'dark' ? 'Use light colours' : 'Use dark colours'}
    >
      <span aria-hidden="true">{mode === 'dark' ? '☀' : '☾'}</span>
    </Button>
  );
}

/** The top bar: logo, menu, environment, palette, calls, colour mode. */
export function TopBar({
  onPalette,
  onCalls,
  callsOpen,
}: {
  onPalette: () => void;
  onCalls: () => void;
  callsOpen: boolean;
}) {
  const calls = useCallRecord();
  const visit = visitOf(useLocation());
  return (
    <chakra.header position={{ base: 'relative', lg: 'sticky' }} top="0" zIndex="panel" bg="bg" borderBottomWidth="1px">
      <Flex align="center" gap="3" wrap="wrap" maxWidth="page" mx="auto" px="4" py="2">
        <Link asChild color="fg" textDecoration="none" fontWeight="semibold" whiteSpace="nowrap">
          <RouterLink to="/">Payments Out Console</RouterLink>
        </Link>
        {/* Another page folds the menu. */}
        <Menu key={visit} />
        <Flex align="center" gap="1.5" ms={{ lg: 'auto' }} wrap="wrap" flexBasis={{ base: 'full', lg: 'auto' }}>
          <EnvironmentBadge />
          <Button variant="ghost" px="2" onClick={onPalette} aria-keyshortcuts="Control+K Meta+K">
            Go to …{' '}
            <chakra.kbd color="fg.muted" hideBelow="md">
              Ctrl K
            </chakra.kbd>
          </Button>
          <Button variant="ghost" px="2" onClick={onCalls} aria-expanded={callsOpen}>
            Calls ({calls.length})
          </Button>
          <ColourModeButton />
          <SignedIn />
        </Flex>
      </Flex>
    </chakra.header>
  );
}
