import { Box, chakra, Heading } from '@chakra-ui/react';
import { menuGroups, type MenuGroup } from '#machines/journey.ts';

/**
 * The usage notes by menu group (behaviour, section 1). What a page says itself is not said here. All of them fit below the guided
 * path at 1440x900 while nothing has been done: a longer note needs a shorter one elsewhere.
 */
export const usageNotes: Readonly<Record<MenuGroup, readonly string[]>> = {
  Misc: ['No providers listed? Try another language.', 'The health pages show whether the service responds.'],
  'Org/Comp': ['An organisation is one customer. Its companies subscribe and pay.', 'Home shows the signing key once.'],
  'Acct/DataSet': [
    'The user token comes from a person’s login and expires.',
    'Account and data set need the network, which the settings switch on.',
  ],
  Subscriptions: [
    'A subscription connects a company to one provider, whose rules define its fields.',
    'Authorise it at the provider before it can pay.',
    'A suspended subscription pays nothing.',
  ],
  Rules: ['A rule defines a field with its label, example, pattern and error message.'],
  'Debtors/Creditors': [
    'A debtor is a bank account to pay from, a creditor is a payee.',
    'The provider confirms later, by webhook.',
  ],
  Payments: [
    'A subscription pays an electronic batch; a file batch becomes a bank file.',
    'Links to bank files expire after five minutes: get the batch again.',
    'A second press makes no second batch.',
  ],
};

/** One styled element for all notes: a new visitor waits for what is styled in the browser. */
const Notes = chakra('div', {
  base: {
    pt: '1',
    columnWidth: '17rem',
    columnGap: '8',
    '& > div': { pb: '1.5', breakInside: 'avoid' },
    '& h3': { fontSize: 'xs', lineHeight: 'xs', fontWeight: 'medium' },
    '& ul': { ps: '4', listStyleType: 'disc', color: 'fg.muted' },
  },
});

/** Usage notes by menu group (behaviour, section 1), in as many columns as the page has room for. */
export const UsageNotes = () => (
  <Box as="section" aria-labelledby="usage-notes" fontSize="xs" lineHeight="xs">
    <Heading as="h2" id="usage-notes" display="inline" fontSize="sm" lineHeight="sm" fontWeight="semibold">
      Usage notes
    </Heading>
    <Notes>
      {menuGroups.map((group) => (
        <div key={group}>
          <h3>{group}</h3>
          <ul>
            {usageNotes[group].map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </div>
      ))}
    </Notes>
  </Box>
);
