import { Box, chakra, Flex, Link } from '@chakra-ui/react';
import {
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
  useSyncExternalStore,
} from 'react';
import { useLocation } from 'react-router-dom';
import { addressOf, guidedPath, journeyAt } from '#machines/journeys.ts';
import { locationAt } from '../console/journeyLocation.ts';
import { BarProvider, pressPrimary } from '#ui/Bar.tsx';
import { BottomBar } from './BottomBar.tsx';
import { useHeightVariable } from './useHeightVariable.ts';
import { InspectorPlace } from './inspectorPlace.ts';
import { StatusBar } from './StatusBar.tsx';
import { useConsole, useFactsUpdates } from '../console/ConsoleProvider.tsx';
import { TopBar } from './TopBar.tsx';
import { usePlaying } from '../console/runStorage.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Dock, Palette, RunBar, LabStanding } from '../routes.ts';
import { localStore } from '../client/storage.ts';
import { isOn } from '#machines/lab/lab.ts';
import { useResource } from '../console/useResource.ts';
import { lab } from '../effects/lab.ts';

/** Scrolls the boxes around an element sideways, so far that it is seen whole, or from its beginning. */
function showSideways(element: Element): void {
  const { left, right } = element.getBoundingClientRect();
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (box.scrollWidth <= box.clientWidth || !/auto|scroll/.test(getComputedStyle(box).overflowX)) continue;
    const around = box.getBoundingClientRect();
    box.scrollLeft +=
      Math.min(0, left - around.left) || Math.max(0, Math.min(right - around.right, left - around.left));
    return;
  }
}

/** Shows what gets the focus whole in a bar that scrolls sideways: browsers leave it where a part of it is seen. */
function useFocusInSight(): void {
  useEffect(() => {
    const show = ({ target }: FocusEvent) => target instanceof Element && showSideways(target);
    document.addEventListener('focusin', show);
    return () => document.removeEventListener('focusin', show);
  }, []);
}

/** What the fault lab is doing. Its region is always present, because screen readers announce a status only in an existing one. */
function LabNotice() {
  const { known } = useResource(lab);
  return (
    <div role="status" aria-label="Fault lab">
      {isOn(known) && <LabStanding />}
    </div>
  );
}

/** The run and what the fault lab is doing, on every page: one notice above the bars, which moves nothing and ends with them. */
function Notice({ isSandbox }: { isSandbox: boolean }) {
  const playing = usePlaying() !== null;
  return (
    <Box
      ref={useHeightVariable('--notice')}
      position="absolute"
      bottom="100%"
      insetInlineEnd={{ base: '2', md: '6' }}
      width="min(23.5rem, 100% - 1rem)"
      mb="2"
      css={{
        '&:has([data-notice])': { bg: 'bg', borderWidth: '1px', borderRadius: 'lg', boxShadow: 'lg' },
        '& [data-notice]': { px: '3', py: { base: '1', md: '2.5' } },
        '& > * + * [data-notice]': { borderTopWidth: '1px' },
      }}
    >
      {playing && <RunBar />}
      {isSandbox && <LabNotice />}
    </Box>
  );
}

/** Storage key, and name of the event that reports a change. */
const storageKey = 'workbench.open';

function subscribe(onChange: () => void): () => void {
  window.addEventListener(storageKey, onChange);
  return () => window.removeEventListener(storageKey, onChange);
}

const isDocked = () => localStore().getItem(storageKey) === 'true';

/** Whether the timeline is docked; stored in the browser. */
function useDocked(): [boolean, (docked: boolean) => void] {
  const docked = useSyncExternalStore(subscribe, isDocked, () => false);
  const dock = (to: boolean) => {
    localStore().setItem(storageKey, String(to));
    window.dispatchEvent(new Event(storageKey));
  };
  return [docked, dock];
}

function SkipLink() {
  return (
    <Link
      href="#main"
      position="absolute"
      insetInlineStart="2"
      top="-10"
      zIndex="skip"
      bg="bg"
      p="2"
      borderWidth="1px"
      _focus={{ top: '2' }}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
    >
      Skip to the page
    </Link>
  );
}

/** Ctrl+Enter or Cmd+Enter presses the primary action of the step's bar, else submits the form; keys held down press it once. */
function usePrimaryShortcut(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'Enter' || event.defaultPrevented) return;
      event.preventDefault();
      if (!event.repeat) pressPrimary();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** The address of the step before this one on the guided path: home before the first one; '' outside of the path. */
function useStepBefore(): string {
  const { pathname, search } = useLocation();
  const facts = useConsole(({ context }) => context.facts);
  const opened = locationAt(pathname, search);
  const path = facts ? guidedPath(facts) : [];
  if (!opened?.guided || !path.includes(opened.journey)) return '';
  const before = path[path.indexOf(opened.journey) - 1];
  return before ? addressOf(before, { guided: true }) : '/';
}

const editable = 'input, textarea, select, [contenteditable]';

/** What is sought in the palette when it opens, null while it is closed: Ctrl+K or Cmd+K opens it, `?` outside of fields its keys. */
function usePalette(): [string | null, (sought: string | null) => void] {
  const [sought, setSought] = useState<string | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const isKeys = key === '?' && !ctrlKey && !metaKey && !altKey;
      if (
        isKeys
          ? target instanceof Element && target.closest(editable)
          : !(ctrlKey || metaKey) || key.toLowerCase() !== 'k'
      )
        return;
      event.preventDefault();
      startTransition(() => setSought((open) => (isKeys ? '?' : open === null ? '' : null)));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return [sought, setSought];
}

/**
 * The frame around every page: skip link, top bar, the page, and the bars at the bottom (the step's bar, the docked
 * workbench, the status bar). A step fills the page with its own regions; other pages have a margin. In tab order the bars
 * come after the step and before its inspector, which is beside the step.
 */
export function Shell({ children }: { children: ReactNode }) {
  useFactsUpdates();
  useFocusInSight();
  const [palette, setPalette] = usePalette();
  const closePalette = useCallback(() => setPalette(null), [setPalette]);
  usePrimaryShortcut();
  const [docked, setDocked] = useDocked();
  const [start, setStart] = useState<HTMLElement | null>(null);
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const [onward, setOnward] = useState<HTMLElement | null>(null);
  const back = useStepBefore();
  const [inspector, setInspector] = useState<HTMLElement | null>(null);
  const bar = useMemo(() => ({ start, end, onward, back }), [start, end, onward, back]);
  const below = useHeightVariable('--below');
  const isSandbox = useConsole(({ context }) => context.facts?.environment === 'sandbox');
  const { pathname } = useLocation();
  const stepped = journeyAt(pathname) !== undefined;
  // The timeline page has nothing to dock.
  const dockable = pathname !== '/timeline';
  return (
    <Flex
      direction="column"
      position="relative"
      minHeight="100dvh"
      pb="var(--below, 5rem)"
      bg="bg.subtle"
      _print={{ pb: '0' }}
    >
      <SkipLink />
      <TopBar onPalette={useCallback(() => startTransition(() => setPalette('')), [setPalette])} />
      <Flex direction={{ base: 'column', md: 'row' }} flex="1" width="full" maxWidth="page" mx="auto">
        <chakra.main
          id="main"
          tabIndex={-1}
          flex="1"
          display="flex"
          flexDirection="column"
          minWidth="0"
          // One left edge for the titles of all pages that have no rail.
          {...(!stepped && { width: 'full', maxWidth: '83rem', mx: 'auto' })}
          px={stepped ? '0' : '6'}
          pt={stepped ? '0' : '8'}
          // Room to scroll what is below the notice out of its way; beside a step it covers the inspector, which scrolls itself.
          pb={stepped ? { base: 'var(--notice, 0px)', md: '0' } : 'calc({spacing.8} + var(--notice, 0px))'}
          outline="none"
        >
          <BarProvider value={bar}>
            <InspectorPlace value={inspector}>{children}</InspectorPlace>
          </BarProvider>
        </chakra.main>
        <Box
          ref={below}
          position="fixed"
          bottom="0"
          insetInline="0"
          zIndex="bar"
          _print={{ display: 'none' }}
          // On a magnified page the viewport is too low for bars that stay: they are at the end of the page.
          css={{ '@media (max-height: 24rem)': { position: 'absolute' } }}
        >
          <Notice isSandbox={isSandbox} />
          <BottomBar start={setStart} end={setEnd} onward={setOnward} />
          {docked && dockable && <Dock onClose={() => setDocked(false)} />}
          <StatusBar docked={docked} onDock={dockable ? () => setDocked(!docked) : null} />
        </Box>
        <Box ref={setInspector} display="contents" />
      </Flex>
      {palette !== null && (
        <Dialog title="Go to" titleHidden placement="top" closesOutside onClose={closePalette}>
          <ErrorBoundary shows="palette" heading="h3">
            <Palette sought={palette} onClose={closePalette} />
          </ErrorBoundary>
        </Dialog>
      )}
    </Flex>
  );
}
