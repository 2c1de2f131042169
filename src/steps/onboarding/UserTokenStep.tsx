import { Box, chakra, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { ActorRefFrom } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import { heldUpBy, isDone, journeyOf, journeyOrder, requirementStatus, type JourneyId } from '#machines/journeys.ts';
import type { Login, userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import { Bar, primaryMark } from '#ui/Bar.tsx';
import { Badge } from '#ui/Badge.tsx';
import { Code } from '#ui/Code.tsx';
import { Details } from '#ui/Details.tsx';
import { FirstView } from '#ui/EmptyState.tsx';
import { Life } from '#ui/plots/Life.tsx';
import { StepTitle } from '#ui/StepTitle.tsx';
import { Card } from '#ui/surfaces.tsx';
import { Way } from '#ui/Way.tsx';
import { ActButton, useRests } from '../kit/ActButton.tsx';

/** Submits a GET form once mounted, so that the browser navigates to the identity provider (behaviour, section 7). */
function LoginForm({ action, fields }: Login) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.submit();
    // Cancel stops a navigation that the identity provider has not answered yet.
    return () => window.stop();
  }, []);
  return (
    <form ref={form} method="get" action={action} aria-label="Log in at the identity provider">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Text role="status">Going to the identity provider …</Text>
    </form>
  );
}

const way = (
  <Way
    label="The console sends you to the identity provider, where you log in; it returns a user token."
    places={[
      { title: 'Console', under: 'Stores it on the server' },
      { title: 'Identity provider', under: 'You log in' },
    ]}
    legs={[{ text: 'Login', back: 'User token' }]}
  />
);

/** What each scope of a login gives (OpenID Connect Core, 5.4). */
const scopeWords: Readonly<Record<string, string>> = {
  openid: 'Identifies the user',
  profile: 'Name',
  email: 'E-mail address',
};

/** Which journeys need the token, and how far each is. */
const usersOf = (facts: Facts) =>
  journeyOrder
    .filter((id) => journeyOf(id).requires.some((each) => each === 'userToken'))
    .map((id) => {
      const lacks = heldUpBy(id, facts);
      const done = isDone(id, facts);
      return { id, done, waits: !done && lacks !== undefined, state: done ? 'Created' : lacks ? requirementStatus(lacks, facts) : 'Next' }; // prettier-ignore
    });

const Part = ({ title, children }: { title?: string; children: ReactNode }) => (
  <Box px={{ base: '4', sm: '6' }} py="5" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
    {title !== undefined && (
      <Heading as="h2" size="lg" pb="3">
        {title}
      </Heading>
    )}
    {children}
  </Box>
);

function UsedBy({ id, done, waits, state }: { id: JourneyId; done: boolean; waits: boolean; state: string }) {
  return (
    <chakra.li
      flex="1 1 10rem"
      px="4"
      py="2"
      borderWidth="1px"
      borderStyle={waits ? 'dashed' : 'solid'}
      borderColor={done ? 'done' : waits ? 'border.control' : 'accent'}
      bg={done ? 'done.subtle' : waits ? undefined : 'accent.subtle'}
      borderRadius="md"
    >
      <Link asChild color="fg" fontWeight="medium">
        <RouterLink to={journeyOf(id).path}>{journeyOf(id).title}</RouterLink>
      </Link>
      <Text color="fg.muted">{state}</Text>
    </chakra.li>
  );
}

/** Until when the token is valid, what it may be used for, and what uses it. */
function LoggedIn({ facts }: { facts: Facts }) {
  const { login } = facts;
  return (
    <Card as="section" aria-label="Result" p="0" maxWidth="measure">
      {login && (
        <>
          <Part>
            <Life {...login} />
          </Part>
          <Part title="Scopes">
            <Details
              items={Object.fromEntries(
                login.scopes.map((scope) => [
                  scope,
                  <>
                    <Text as="span" color="done" aria-hidden="true">
                      ✓{' '}
                    </Text>
                    {scopeWords[scope] ?? <Code>{scope}</Code>}
                  </>,
                ]),
              )}
            />
          </Part>
        </>
      )}
      <Part title="Used by">
        <Flex as="ul" listStyleType="none" gap="3" wrap="wrap">
          {usersOf(facts).map((each) => (
            <UsedBy key={each.id} {...each} />
          ))}
        </Flex>
      </Part>
    </Card>
  );
}

/** Shows whose user token is stored, if any, and offers to log in (behaviour, section 2: /getnetworkaccesstoken). */
export function UserTokenStep({ actor }: { actor: ActorRefFrom<typeof userTokenMachine> }) {
  const facts = useSelector(actor, ({ context }) => context.facts);
  const login = useSelector(actor, (snapshot) => (snapshot.matches('leaving') ? snapshot.context.login : null));
  const rests = useRests(actor, { type: 'login.start' });
  const isExpired = !facts.userToken && facts.settings.userJwt !== '';
  const leave = (label: string) => [{ label, onPress: () => actor.send({ type: 'form.cancel' }) }];
  if (facts.userToken)
    return (
      <>
        <StepTitle text={facts.user || 'The user token names nobody'} status="Logged in" tone="done" />
        <LoggedIn facts={facts} />
        {login && <LoginForm {...login} />}
        <Bar
          leave={leave('Close')}
          secondary={[{ label: 'Log in again', rests, onPress: () => actor.send({ type: 'login.start' }) }]}
        />
      </>
    );
  return (
    <>
      <StepTitle />
      <FirstView
        way={way}
        says={login ? <LoginForm {...login} /> : 'Log in at the identity provider to get a user token.'}
      >
        {isExpired && <Badge tone="idle">Session expired</Badge>}
        <ActButton variant="solid" actor={actor} act={{ type: 'login.start' }} {...primaryMark}>
          Log in
        </ActButton>
      </FirstView>
      <Bar leave={leave('Cancel')} />
    </>
  );
}
