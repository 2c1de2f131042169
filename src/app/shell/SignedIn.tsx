import { chakra } from '@chakra-ui/react';
import { useActorRef, useSelector } from '@xstate/react';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { userName } from '../api/user.ts';
import { signingOut } from '../effects/signOut.ts';
import { useInBrowser } from '../page/useInBrowser.ts';

/** The signed-in user's name and the sign-out button. */
export function SignedIn() {
  const actor = useActorRef(signingOut);
  const failure = useSelector(actor, ({ context }) => context.failure);
  const name = useInBrowser(userName, '');
  if (!name) return null;
  return (
    <>
      <chakra.span color="fg.muted" maxWidth="12rem" truncate title={`Signed in as ${name}`}>
        {name}
      </chakra.span>
      <ActButton actor={actor} act={{ type: 'signOut.press' }} variant="ghost" px="2">
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
