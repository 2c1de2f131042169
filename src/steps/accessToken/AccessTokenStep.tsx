import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { accessTokenMachine } from '#machines/accessToken.machine.ts';
import { CopyButton, Id } from '../kit/CopyButton.tsx';
import { Time } from '../kit/Time.tsx';

function Entry({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <Box as="dt" color="fg.muted">
        {term}
      </Box>
      <Box as="dd" overflowWrap="anywhere">
        {children}
      </Box>
    </div>
  );
}

/** The company access token, masked until asked for (spec, section 2: /getaccesstoken; ux, rule 8). */
export default function AccessTokenStep({ actor }: { actor: ActorRefFrom<typeof accessTokenMachine> }) {
  const token = useSelector(actor, ({ context }) => context.token);
  const revealed = useSelector(actor, (snapshot) => snapshot.matches('revealed'));
  if (!token) return null;
  return (
    <Box display="grid" gap="5" maxWidth="measure">
      <Box as="dl" display="grid" gap="3">
        <Entry term="Access token">
          <code>{token.token}</code>
          <Flex gap="2" align="center" wrap="wrap" pt="1">
            <Button size="sm" onClick={() => actor.send({ type: revealed ? 'token.hide' : 'token.reveal' })}>
              {revealed ? 'Hide' : 'Reveal'}
            </Button>
            {revealed && <CopyButton text={token.token} what="the access token" />}
            <Text color="fg.muted" role="status">
              {revealed ? 'Shown for a short while' : 'Masked'}
            </Text>
          </Flex>
        </Entry>
        <Entry term="Expires">
          <Time at={token.expiresAt} />
        </Entry>
        <Entry term="Company">
          <Id value={token.companyId} what="the company id" />
        </Entry>
        <Entry term="Organisation">
          <Id value={token.organisationId} what="the organisation id" />
        </Entry>
      </Box>
      <div>
        <Button onClick={() => actor.send({ type: 'form.cancel' })}>Close</Button>
      </div>
    </Box>
  );
}
