import { chakra, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { LocalInstrument, Provider } from '#contract/lookup.ts';
import { countryName } from '#rules/country.ts';
import { counted } from '#rules/counted.ts';

/** The cards of definitions, as many beside each other as have room. */
export const Cards = chakra('ul', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(24rem, 100%), 1fr))',
    gap: '3',
    listStyle: 'none',
    alignItems: 'start',
  },
});

const Frame = chakra('button', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    columnGap: '3',
    rowGap: '2',
    width: 'full',
    height: 'full',
    alignContent: 'start',
    textAlign: 'start',
    cursor: 'pointer',
    bg: 'bg',
    borderWidth: '1px',
    borderRadius: 'lg',
    p: '3',
    _hover: { borderColor: 'border.control' },
    '&[aria-pressed=true]': {
      borderColor: 'accent',
      boxShadow: 'inset 0 0 0 1px {colors.accent}',
      // Forced colours remove shadows.
      '@media (forced-colors: active)': { borderWidth: '3px', borderColor: 'Highlight' },
    },
  },
});

const initials = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('');

/** A definition as a card that is chosen by a press: its mark, its name, one line about it, and more below. */
export function DefinitionCard(props: {
  name: string;
  says: string;
  pressed?: boolean;
  onChoose: () => void;
  children?: ReactNode;
}) {
  const { name, says, pressed, onChoose, children } = props;
  return (
    <Frame type="button" aria-pressed={pressed} onClick={onChoose}>
      <Flex
        as="span"
        aria-hidden="true"
        width="9"
        height="9"
        align="center"
        justify="center"
        borderRadius="md"
        bg="accent.subtle"
        color="accent"
        fontSize="sm"
        fontWeight="semibold"
      >
        {initials(name)}
      </Flex>
      <chakra.span minWidth="0">
        <Text as="span" fontWeight="medium" overflowWrap="anywhere" lineClamp="3">
          <bdi>{name}</bdi>
        </Text>
        <Text as="span" fontSize="sm" color="fg.muted" overflowWrap="anywhere" lineClamp="3">
          <bdi>{says}</bdi>
        </Text>
      </chakra.span>
      <chakra.span gridColumn="1 / -1" minWidth="0">
        {children}
      </chakra.span>
    </Frame>
  );
}

/** The capabilities that steps depend on, by what they are called on a card. */
const capabilities = {
  SubscriptionRequired: 'Subscription',
  IFramePermitted: 'Frame',
  DebtorAccountRequired: 'Debtor account',
  DebtorQueries: 'Debtor query',
  CreditorQueries: 'Creditor query',
} as const;

/** What carries a provider's payments, and how many a batch may have; where neither is said, its countries. */
function termsOf(
  { localInstruments = [], maximumPaymentCount, country }: Provider,
  instruments: readonly LocalInstrument[],
) {
  const names = localInstruments.map(
    (id) => instruments.find(({ localInstrumentId }) => localInstrumentId === id)?.name || id.replaceAll('-', ' '),
  );
  const most = maximumPaymentCount === undefined ? [] : [`up to ${counted(maximumPaymentCount, 'payment')}`];
  return [...names, ...most].join(', ') || country.map(countryName).join(', ');
}

/** A provider as a card, with its capabilities as signs with words. */
export function ProviderCard(props: {
  provider: Provider;
  /** Its name, told apart from those of the others. */
  name: string;
  instruments?: readonly LocalInstrument[];
  pressed?: boolean;
  onChoose: () => void;
}) {
  const { provider, instruments = [], ...card } = props;
  const own = provider.accountType.capabilities ?? [];
  return (
    <DefinitionCard says={termsOf(provider, instruments)} {...card}>
      <Flex as="span" columnGap="3" rowGap="0.5" wrap="wrap" fontSize="xs">
        {Object.entries(capabilities).map(([capability, word]) => {
          const has = own.includes(capability);
          return (
            <Text as="span" key={capability} color={has ? 'fg' : 'fg.muted'}>
              <Text as="span" color={has ? 'done' : 'fg.muted'} aria-hidden="true">
                {has ? '✓' : '–'}
              </Text>{' '}
              <Text as="span" srOnly>
                {has ? '' : 'no '}
              </Text>
              {word}
            </Text>
          );
        })}
      </Flex>
    </DefinitionCard>
  );
}
