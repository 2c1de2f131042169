import { chakra, Flex, Link } from '@chakra-ui/react';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { chunk } from '#steps/kit/chunk.ts';
import { StatusBar } from './StatusBar.tsx';
import { TopBar } from './TopBar.tsx';

const Palette = lazy(() => chunk(async () => ({ default: (await import('./Palette.tsx')).Palette })));
const CallsPanel = lazy(() => chunk(async () => ({ default: (await import('./CallsPanel.tsx')).CallsPanel })));

/** The frame around every page: skip link, top bar, the page, side panel, status bar. */
export function Shell({ children }: { children: ReactNode }) {
  const [palette, setPalette] = useState(false);
  const [calls, setCalls] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setPalette((open) => !open);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Flex direction="column" minHeight="100dvh">
      <Link
        href="#main"
        position="absolute"
        insetInlineStart="2"
        top="-10"
        zIndex="skip"
        bg="bg"
        p="2"
        _focus={{ top: '2' }}
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to the page
      </Link>
      <TopBar onPalette={() => setPalette(true)} onCalls={() => setCalls(!calls)} callsOpen={calls} />
      <chakra.main id="main" tabIndex={-1} flex="1" width="full" maxWidth="page" mx="auto" px="4" py="6" outline="none">
        {children}
      </chakra.main>
      <StatusBar />
      <Suspense>
        {palette && <Palette onClose={() => setPalette(false)} />}
        {calls && <CallsPanel onClose={() => setCalls(false)} />}
      </Suspense>
    </Flex>
  );
}
