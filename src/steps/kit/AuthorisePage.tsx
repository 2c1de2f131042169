import { Box, Button, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Time } from '#ui/Time.tsx';
import { EmbeddedPage } from './EmbeddedPage.tsx';

/**
 * Removes a frame's entries from the window's history. Navigation in a frame adds entries that outlive the frame, so
 * that Back would seem to do nothing. When `open` becomes false or the component is removed, this hook goes back by
 * that many entries, unless the page is at another address by then.
 */
export function useFrameHistory(open: boolean): void {
  useEffect(() => {
    if (!open) return undefined;
    const { pathname } = location;
    const before = history.length;
    return () => {
      if (location.pathname === pathname && history.length > before) history.go(before - history.length);
    };
  }, [open]);
}

interface AuthorisePageProps {
  /** The provider's name, '' if unknown. */
  provider: string;
  /** The link as last read, checked by the server; '' if there is none any more. */
  link: string;
  /** When the link was issued or when it expires, which identifies the link; '' if the service gives neither. */
  issue: string;
  /** The provider permits embedding of its page (capability IFramePermitted); otherwise it opens in another tab. */
  framed: boolean;
  onClose: () => void;
  /** A sentence with the current status of the resource to be authorised. */
  children: ReactNode;
}

/**
 * A provider's authorise page (behaviour, section 4). A new `link` does not reload the page, because the user's input
 * in it would be lost; once `issue` has changed, a button offers the fresh link.
 */
export function AuthorisePage({ provider, link, issue, framed, onClose, children }: AuthorisePageProps) {
  const [opened, setOpened] = useState({ link, issue, times: 1 });
  const expired = link !== '' && opened.issue !== '' && issue !== '' && issue !== opened.issue;
  const openFresh = () => setOpened({ link, issue, times: opened.times + 1 });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const page = `Authorise page of ${provider || 'the provider'}`;
  return (
    // Above the overlay that covers a busy step.
    <Box
      as="section"
      aria-label={page}
      position="relative"
      zIndex="1"
      display="grid"
      gap="3"
      pb="4"
      borderBottomWidth="1px"
    >
      <Heading as="h2" ref={heading} tabIndex={-1}>
        {page}
      </Heading>
      <Text>{children}</Text>
      {expired && (
        <Flex gap="3" align="center" wrap="wrap" role="status">
          <Text color="waiting">The link of this page has expired; the provider has issued a new one.</Text>
          {framed ? (
            <Button onClick={openFresh}>Use the new link</Button>
          ) : (
            <Button asChild onClick={openFresh}>
              <a href={link} target="_blank" rel="noopener">
                Use the new link ↗
              </a>
            </Button>
          )}
        </Flex>
      )}
      {framed ? (
        <EmbeddedPage key={opened.times} link={opened.link} title={page} />
      ) : (
        <Text>
          The page is open in another tab.{' '}
          <Link href={opened.link} target="_blank" rel="noopener">
            Open it again
          </Link>
        </Text>
      )}
      <div>
        <Button onClick={onClose}>Close the authorise page</Button>
      </div>
    </Box>
  );
}

interface Authorising {
  /** The provider's name, '' if unknown. */
  provider?: string;
  /** The authorise link; '' if there is none, or if it may not be opened. */
  link: string;
  /** A link that is shown as text only, because it does not lead to a provider's pages; '' if there is none. */
  elsewhere: string;
  /** The link's expiry as an ISO time, '' if unknown. */
  expiresAt: string;
  /** The provider permits embedding of its page; otherwise the page opens in another tab. */
  framed?: boolean;
  /** The authorise page is open. */
  open: boolean;
  onOpen: () => void;
  onClose: () => void;
  /** A sentence with the current status of the resource to be authorised. */
  children: ReactNode;
}

/**
 * Offers the authorise page of a debtor, creditor or batch, in a frame or in another tab; renders nothing without a
 * link.
 */
export function Authorising(props: Authorising) {
  const { provider = '', link, elsewhere, expiresAt, framed = false, open, onOpen, onClose, children } = props;
  useFrameHistory(open && link !== '');
  if (open && link !== '')
    return (
      <AuthorisePage provider={provider} link={link} issue={expiresAt} framed={framed} onClose={onClose}>
        {children}
      </AuthorisePage>
    );
  if (link === '')
    return elsewhere === '' ? null : (
      <Text overflowWrap="anywhere">
        This link is not opened, because it does not lead to the provider’s pages: {elsewhere}
      </Text>
    );
  return (
    <Text position="relative" zIndex="1">
      The provider requires authorisation.{' '}
      {framed ? (
        <Button size="sm" onClick={onOpen}>
          Authorise
        </Button>
      ) : (
        <Button size="sm" asChild onClick={onOpen}>
          <a href={link} target="_blank" rel="noopener">
            Authorise ↗
          </a>
        </Button>
      )}
      {expiresAt !== '' && (
        <>
          {' '}
          The link expires <Time at={expiresAt} />.
        </>
      )}
    </Text>
  );
}
