import { Box, Button, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Card } from '#ui/surfaces.tsx';
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
  /** What is approved: the card's heading. */
  heading: string;
  /** The status of that, and how it is told; '' if it is unknown. */
  status: string;
  statusWords?: string;
  /** Identifies what is approved, below the heading. */
  children: ReactNode;
  /** How its status is checked, below the page. */
  checks?: ReactNode;
}

/**
 * A provider's approval page in its card (behaviour, section 4). A new `link` does not reload the page, because the user's input
 * in it would be lost; once `issue` has changed, a button offers the fresh link.
 */
export function AuthorisePage(props: AuthorisePageProps) {
  const { provider, link, issue, framed, onClose, heading, status, statusWords = status, children, checks } = props;
  const [opened, setOpened] = useState({ link, issue, times: 1 });
  const expired = link !== '' && opened.issue !== '' && issue !== '' && issue !== opened.issue;
  const openFresh = () => setOpened({ link, issue, times: opened.times + 1 });
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    title.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const page = `Approval page of ${provider || 'the provider'}`;
  return (
    // Above the overlay that covers a busy step.
    <Card
      as="section"
      aria-label={page}
      size="md"
      maxWidth="form"
      position="relative"
      zIndex="1"
      display="grid"
      gap="4"
    >
      <Flex columnGap="3" rowGap="1" align="center" justify="space-between" wrap="wrap">
        <Box minWidth="0">
          {/* With most of the page below it, and as much as possible of the list above. */}
          <Heading as="h2" size="md" ref={title} tabIndex={-1} scrollMarginBottom="28rem">
            {heading}
          </Heading>
          <Text fontSize="sm" color="fg.muted">
            {children}
          </Text>
        </Box>
        {status !== '' && (
          <span role="status" aria-label="Status">
            <Badge tone={toneOf(status)}>{statusWords}</Badge>
          </span>
        )}
      </Flex>
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
      <Flex gap="3" align="center" justify="space-between" wrap="wrap">
        <Text fontSize="sm" color="fg.muted" flex="1 1 12rem">
          {checks}
        </Text>
        <Button size="sm" onClick={onClose}>
          Close approval page
        </Button>
      </Flex>
    </Card>
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
  /** The approval page is open. */
  open: boolean;
  onOpen: () => void;
  onClose: () => void;
  /** The status of the resource to be authorised; '' if it is unknown. */
  status: string;
  /** Identifies that resource. */
  children: ReactNode;
}

/**
 * Offers the approval page of a debtor, creditor or batch, in a frame or in another tab; renders nothing without a
 * link.
 */
export function Authorising(props: Authorising) {
  const { provider = '', link, elsewhere, expiresAt, framed = false, open, onOpen, onClose, status, children } = props;
  useFrameHistory(open && link !== '');
  if (open && link !== '')
    return (
      <AuthorisePage
        provider={provider}
        link={link}
        issue={expiresAt}
        framed={framed}
        onClose={onClose}
        heading={`Approve at ${provider || 'the provider'}`}
        status={status}
      >
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
