import { chakra } from '@chakra-ui/react';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { userName } from '../client/user.ts';
import { useResource } from '../console/useResource.ts';
import { signingOut } from '../effects/company.ts';
import { useInBrowser } from './useInBrowser.ts';

/** The signed-in user's name and the sign-out button. */
export function SignedIn() {
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
