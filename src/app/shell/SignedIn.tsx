import { Button, chakra } from '@chakra-ui/react';
import { useState } from 'react';
import type { Problem } from '#contract/problem.ts';
import { signOut } from '../effects/signOut.ts';
import { useInBrowser } from '../page/useInBrowser.ts';
import { userName } from '../api/user.ts';

/** The signed-in user's name and the sign-out button. */
export function SignedIn() {
  const [problem, setProblem] = useState<Problem>();
  const name = useInBrowser(userName, '');
  if (!name) return null;
  return (
    <>
      <chakra.span color="fg.muted" maxWidth="12rem" truncate title={`Signed in as ${name}`}>
        {name}
      </chakra.span>
      <Button
        variant="ghost"
        px="2"
        onClick={() => void signOut().then((address) => window.location.assign(address), setProblem)}
      >
        Sign out
      </Button>
      {problem && (
        <chakra.span role="alert" color="failed">
          {problem.title}
        </chakra.span>
      )}
    </>
  );
}
