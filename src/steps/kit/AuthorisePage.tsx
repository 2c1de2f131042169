import { Box, Button, chakra, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Time } from './Time.tsx';

const Frame = chakra('iframe', {
  base: {
    width: 'full',
    height: '32rem',
    borderWidth: '1px',
    borderStyle: 'solid',
    borderColor: 'border.control',
    bg: 'bg',
  },
});

interface AuthorisePageProps {
  /** The provider's name, '' if it is not known. */
  provider: string;
  /** The link as last read: one that the server says is followed, or '' if there is none any more. */
  link: string;
  /** A time that differs between links: when the link was made, or when it expires. '' if the service does not say. */
  issue: string;
  /** The provider permits that its page is embedded (capability IFramePermitted); otherwise it opens in another tab. */
  framed: boolean;
  onClose: () => void;
  /** How what is to be authorised stands, in a sentence. */
  children: ReactNode;
}

/**
 * A provider's authorise page (behaviour, section 4). It stays as it was opened, because what is typed in it would be lost
 * if it were loaded anew; a fresh link of a later reading is offered.
 */
export function AuthorisePage({ provider, link, issue, framed, onClose, children }: AuthorisePageProps) {
  const [opened, setOpened] = useState({ link, issue, times: 1 });
  const expired = link !== '' && opened.issue !== '' && issue !== '' && issue !== opened.issue;
  const openFresh = () => setOpened({ link, issue, times: opened.times + 1 });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const page = `Authorise page of ${provider || 'the provider'}`;
  return (
    // Above the overlay that covers a step at work.
    <Box
      as="section"
      aria-label={page}
      position="relative"
      zIndex="1"
      display="grid"
      gap="3"
      borderTopWidth="1px"
      pt="4"
    >
      <Heading as="h2" ref={heading} tabIndex={-1}>
        {page}
      </Heading>
      <Text>{children}</Text>
      {expired && (
        <Flex gap="3" align="center" wrap="wrap" role="status">
          <Text color="waiting">
            The link that this page was opened by has expired; the provider has given a fresh one.
          </Text>
          {framed ? (
            <Button onClick={openFresh}>Use the fresh link</Button>
          ) : (
            <Button asChild onClick={openFresh}>
              <a href={link} target="_blank" rel="noopener">
                Use the fresh link ↗
              </a>
            </Button>
          )}
        </Flex>
      )}
      {framed ? (
        <Frame
          key={opened.times}
          src={opened.link}
          title={page}
          referrerPolicy="no-referrer"
          sandbox="allow-forms allow-popups allow-same-origin allow-scripts"
        />
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
  /** Its name, '' if it is not known. */
  provider?: string;
  /** Where to authorise it; '' if nowhere, or nowhere that is followed. */
  link: string;
  /** A link that is not followed, as it does not lead to a provider's pages. */
  elsewhere: string;
  /** An ISO time, '' if the link does not say when it expires. */
  expiresAt: string;
  /** The provider permits that its page is embedded; otherwise it opens in another tab. */
  framed?: boolean;
  /** Its page is open. */
  open: boolean;
  onOpen: () => void;
  onClose: () => void;
  /** What waits for that, in a sentence. */
  children: ReactNode;
}

/** Offers to authorise what the provider wants authorised, as subscriptions are: in a frame or in another tab. */
export function Authorising(props: Authorising) {
  const { provider = '', link, elsewhere, expiresAt, framed = false, open, onOpen, onClose, children } = props;
  useFrameHistory(open);
  if (open && link !== '')
    return (
      <AuthorisePage provider={provider} link={link} issue={expiresAt} framed={framed} onClose={onClose}>
        {children}
      </AuthorisePage>
    );
  if (link === '')
    return elsewhere === '' ? null : (
      <Text overflowWrap="anywhere">
        This link is not followed, as it does not lead to the provider’s pages: {elsewhere}
      </Text>
    );
  return (
    <Text position="relative" zIndex="1">
      The provider wants this authorised.{' '}
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

/**
 * What is pressed in a frame adds entries to the window's history, and they stay when the frame is gone: Back would
 * seem to do nothing. Goes back over them as soon as the frame, which is there while `open`, has been closed.
 */
export function useFrameHistory(open: boolean): void {
  const before = useRef(0);
  useEffect(() => {
    if (open) before.current = history.length;
    else if (before.current > 0 && history.length > before.current) history.go(before.current - history.length);
  }, [open]);
}
