import type { Bank, BankList } from './lookup.ts';

const abilities = [
  'domestic_payment',
  'domestic_scheduled_payment',
  'domestic_standing_order',
  'domestic_standing_order_installment',
  'domestic_standing_order_yearly_period',
  'international_payment',
  'international_scheduled_payment',
  'international_standing_order',
  'bulk_payment',
  'vrp',
  'sweeping',
];

/** A square with the bank's initial, so that the list needs no server for images. */
const picture = (letter: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#456"/><text x="16" y="22" font-family="sans-serif" font-size="18" text-anchor="middle" fill="#fff">${letter}</text></svg>`,
  )}`;

type Particulars = Pick<Bank, 'bank_id' | 'friendly_name' | 'division' | 'service_status'> & { group: string };

const bank = (particulars: Particulars, everyAbility = false): Bank => ({
  ...particulars,
  name: particulars.friendly_name,
  is_sandbox: true,
  logo: picture(particulars.group.slice(0, 1)),
  icon: picture(particulars.group.slice(0, 1)),
  standard: 'obie',
  country_iso_code: 'GB',
  order: 100_000,
  refund_supported: everyAbility,
  abilities: Object.fromEntries(abilities.map((ability) => [ability, everyAbility || ability === 'domestic_payment'])),
});

/**
 * The sample banks, for a service without a list of its own; the sandbox offers the same. The count in the wrapper is nine although there are three banks, as in the sample (behaviour,
 * sections 3 and 9).
 */
export const sampleBanks: BankList = {
  data: [
    bank({
      bank_id: 'obie-lloyds-sandbox',
      friendly_name: 'Lloyds Sandbox',
      division: 'Sandbox',
      group: 'Lloyds',
      service_status: false,
    }),
    bank(
      {
        bank_id: 'obie-natwest-sandbox',
        friendly_name: 'NatWest Sandbox',
        division: 'Sandbox',
        group: 'NatWest',
        service_status: true,
      },
      true,
    ),
    bank({
      bank_id: 'obie-mock-personal-sandbox',
      friendly_name: 'Mock Bank',
      division: 'Personal',
      group: 'Mock',
      service_status: true,
    }),
  ],
  meta: { total_count: 9, total_pages: 1, current_page: 1 },
};
