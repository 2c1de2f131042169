/** The page's routes without parameters (behaviour, section 2). */
const pages: readonly string[] = [
  '/',
  '/additionaldata',
  '/bankfiles',
  '/consumerhealth',
  '/createaccount',
  '/createcompany',
  '/createdataset',
  '/createorganisation',
  '/creditors',
  '/creditorsquery',
  '/debtors',
  '/debtorsquery',
  '/electronicpayments',
  '/etransfer',
  '/filepayments',
  '/getaccesstoken',
  '/getbatch',
  '/getnetworkaccesstoken',
  '/messaginghealth',
  '/onboardingsubscription',
  '/openbankingsubscription',
  '/paymentlist',
  '/providers',
  '/settings',
  '/subscriptionlist',
  '/translation',
  '/journeys',
  '/timeline',
];

/** Whether a path, as parsed by URL, is a route of the page. */
export const isPagePath = (path: string): boolean => pages.includes(path) || /^\/journeys\/\w+$/.test(path);
