import { Button, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { AuthorisePage } from './AuthorisePage.tsx';
import { Time } from './Time.tsx';
import { useFrameHistory } from './useFrameHistory.ts';

interface Authorising {
  /** Its name, '' if it is not known. */
  provider?: string;
  /** Where to authorise it; '' if nowhere, or nowhere that is followed. */
  link: string;
  /** A link that is not followed, as it does not lead to a provider's pages. */
  elsewhere: string;
  /** An ISO time, '' if the link does not say when it dies. */
  expiresAt: string;
  /** The provider permits that its page is embedded; else it opens in another tab. */
  framed?: boolean;
  /** Its page is open. */
  open?: boolean;
  onOpen?: () => void;
  onClose?: () => void;
  /** What waits for that, in a sentence. */
  children?: ReactNode;
}

const nothing = () => undefined;

/** Offers to authorise what the provider wants authorised, as subscriptions are: in a frame or in another tab. */
export function Authorising(props: Authorising) {
  const { provider = '', link, elsewhere, expiresAt, framed = false, open = false } = props;
  const { onOpen = nothing, onClose = nothing, children } = props;
  useFrameHistory(open);
  if (open && link !== '')
    return (
      <AuthorisePage provider={provider} link={link} framed={framed} onClose={onClose}>
        <Text>{children}</Text>
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
