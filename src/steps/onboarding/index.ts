import type { StepTable } from '../step.ts';
import { AccessTokenStep } from './AccessTokenStep.tsx';
import { AccountStep } from './AccountStep.tsx';
import { CompanyStep } from './CompanyStep.tsx';
import { DatasetStep } from './DatasetStep.tsx';
import { OrganisationStep } from './OrganisationStep.tsx';
import { UserTokenStep } from './UserTokenStep.tsx';
import { accessToken, account, company, dataset, organisation } from './previews.ts';

/** How the journeys of this area present themselves. */
export const onboardingSteps = {
  organisation: {
    Step: OrganisationStep,
    layout: 'form',
    calls: ['createOrganisation'],
    preview: organisation,
  },
  company: {
    Step: CompanyStep,
    layout: 'form',
    calls: ['createCompany'],
    preview: company,
  },
  accessToken: {
    Step: AccessTokenStep,
    layout: 'form',
    calls: ['getToken'],
    preview: accessToken,
  },
  userToken: {
    Step: UserTokenStep,
    layout: 'form',
    calls: ['storeUserToken'],
  },
  account: {
    Step: AccountStep,
    layout: 'form',
    calls: ['createAccount'],
    preview: account,
  },
  dataset: {
    Step: DatasetStep,
    layout: 'form',
    calls: ['createDataset'],
    preview: dataset,
  },
} as const satisfies StepTable;
