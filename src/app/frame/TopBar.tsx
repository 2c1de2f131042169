import { Box, Button, chakra, Flex, Link } from '@chakra-ui/react';
import { memo } from 'react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { visitOf } from '#ui/visit.ts';
import { visuallyHidden } from '#ui/visuallyHidden.ts';
import { useConsole } from '../console/ConsoleProvider.tsx';
import { CompanyMenu } from './CompanyMenu.tsx';
import { LiveMenu, SandboxMenu, Tools } from './EnvironmentMenu.tsx';
import { useHeightVariable } from './useHeightVariable.ts';
import { Menu } from './Menu.tsx';
import { menuFits } from './MenuGroup.tsx';
import { useColourMode } from '../theme/colourMode.ts';
import { serverMeta } from '../client/serverMeta.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { userName } from '../client/user.ts';
import { useResource } from '../console/useResource.ts';
import { signingOut } from '../effects/company.ts';
import { useInBrowser } from './useInBrowser.ts';

/** The signed-in user's name and the sign-out button. */
function SignedIn() {
  const { actor, failure } = useResource(signingOut);
  const name = useInBrowser(userName, '');
  if (!name) return null;
  return (
    <>
      <chakra.span color="fg.muted" maxWidth="12rem" truncate title={`Signed in as ${name}`}>
        {name}
      </chakra.span>
      <ActButton actor={actor} act={{ type: 'act', act: 'signOut' }} variant="ghost" px="2">
        Sign out
      </ActButton>
      {failure && (
        <chakra.span role="alert" color="failed">
          {failure.title}
        </chakra.span>
      )}
    </>
  );
}

/**
 * 'live' if the console moves real money, else 'sandbox'; '' until it is known. The server writes it into the page, so
 * it is known even if the facts cannot be loaded.
 */
function useEnvironment(): string {
  const read = useConsole(({ context }) => context.facts?.environment);
  return serverMeta('environment') || (read ?? '');
}

/** Icon of the colour mode: a disc, half dark, half light. */
const HalfDisc = () => (
  <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
    <circle cx="7" cy="7" r="6" fill="none" stroke="currentColor" strokeWidth="1.3" />
    <path d="M7 1a6 6 0 0 1 0 12z" fill="currentColor" />
  </svg>
);

function ColourModeButton() {
  const [mode, toggle] = useColourMode();
  return (
    <Button
      variant="ghost"
      size="sm"
      px="0"
      onClick={toggle}
      aria-label={mode === 'dark' ? 'Use light colours' : 'Use dark colours'}
    >
      <HalfDisc />
    </Button>
  );
}

/** Where the menu fits into the bar, but not the product's name, and on a phone, the name is only in the link's name. */
const nameHidden = { '@media (max-width: 87.99rem)': visuallyHidden } as const;

const Logo = chakra('span', {
  // Forced colours remove the image and show the border.
  base: {
    width: '5',
    height: '5',
    borderWidth: '1px',
    borderColor: 'transparent',
    borderRadius: 'sm',
    bgImage: 'linear-gradient(135deg, {colors.accent}, #38a3c9)',
  },
});

/** The top bar: logo, menu, tools, environment, palette, colour mode. In the live environment it has a coloured line below. */
export const TopBar = memo(function TopBar({ onPalette }: { onPalette: () => void }) {
  const visit = visitOf(useLocation());
  const environment = useEnvironment();
  const live = environment === 'live';
  return (
    <chakra.header
      ref={useHeightVariable('--above')}
      position={{ base: 'relative', lg: 'sticky' }}
      top="0"
      zIndex="panel"
      bg="bg"
      borderBottomWidth="1px"
      _print={{ display: 'none' }}
      // A shadow, unlike a border, does not change the bar's height.
      boxShadow={live ? 'inset 0 -3px 0 {colors.live}' : undefined}
    >
      <Flex align="center" gap="1" wrap="wrap" minHeight="calc({sizes.top} - 1px)" px="6" py="1">
        <Link asChild display="flex" color="fg" textDecoration="none" fontWeight="semibold" whiteSpace="nowrap" me="1">
          <RouterLink to="/">
            <Flex as="span" display="inline-flex" align="center" gap="2.5">
              <Logo aria-hidden="true" />
              <chakra.span css={{ [menuFits]: nameHidden, '@media (max-width: 29.99rem)': visuallyHidden }}>
                Payments Out Console
              </chakra.span>
            </Flex>
          </RouterLink>
        </Link>
        {/* Navigating to another page closes the menu. */}
        <Menu key={visit} />
        <Flex display={{ base: 'contents', sm: 'flex' }} align="center" gap="1" ms={{ sm: 'auto' }} wrap="wrap">
          <Tools key={`tools ${visit}`} sandbox={environment === 'sandbox'} />
          {/* On a phone it comes last, so that it pushes nothing on when it arrives. */}
          <Box order={{ base: '1', sm: '0' }} _empty={{ display: 'none' }}>
            <CompanyMenu />
          </Box>
          {live && <LiveMenu key={`environment ${visit}`} />}
          {environment === 'sandbox' && <SandboxMenu key={`environment ${visit}`} />}
          <Button size="sm" onClick={onPalette} aria-keyshortcuts="Control+K Meta+K" color="fg.muted" ms="1" gap="2">
            Go to …{' '}
            <chakra.kbd
              hideBelow="xl"
              fontSize="xs"
              px="5px"
              borderRadius="xs"
              bg="bg.muted"
              color="fg.muted"
              // Forced colours remove the background and show the border.
              borderWidth="1px"
              borderColor="transparent"
            >
              Ctrl K
            </chakra.kbd>
          </Button>
          <ColourModeButton />
          <SignedIn />
        </Flex>
      </Flex>
    </chakra.header>
  );
});
