import { Button, chakra } from '@chakra-ui/react';
import { useState } from 'react';
import type { Problem } from '#contract/problem.ts';
import { call } from '../api/client.ts';
import { dropDrafts } from '../step/drafts.ts';
import { useInBrowser } from './useInBrowser.ts';
import { userName } from '../api/user.ts';

async function signOut(): Promise<void> {
  const { location } = await call('signOut', {});
  dropDrafts(); // the next user of this tab must not see this user's input
  window.location.assign(location);
}

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
      <Button variant="ghost" px="2" onClick={() => void signOut().catch(setProblem)}>
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
