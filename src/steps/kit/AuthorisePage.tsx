import { Box, Button, chakra, Heading, Link } from '@chakra-ui/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';

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
  link: string;
  /** The provider permits that its page is embedded (capability IFramePermitted). */
  framed: boolean;
  onClose: () => void;
  /** How what is to be authorised stands, in a sentence. */
  children: ReactNode;
}

/**
 * A provider's authorise page: embedded if the provider permits it, else open in another tab (behaviour, section 4). The link
 * must be one that the server says is followed.
 */
export function AuthorisePage({ provider, link: given, framed, onClose, children }: AuthorisePageProps) {
  // The page stays as it was opened: a later reading may bring a fresh link, which would load it anew.
  const [link] = useState(given);
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
      {children}
      {framed ? (
        <Frame
          src={link}
          title={page}
          referrerPolicy="no-referrer"
          sandbox="allow-forms allow-popups allow-same-origin allow-scripts"
        />
      ) : (
        <p>
          The page is open in another tab.{' '}
          <Link href={link} target="_blank" rel="noopener">
            Open it again
          </Link>
        </p>
      )}
      <div>
        <Button onClick={onClose}>Close the authorise page</Button>
      </div>
    </Box>
  );
}
