// @vitest-environment jsdom
import { testScreens } from '#tests/support/screenTests.tsx';

await testScreens('debtor', 'debtorQuery', 'creditor', 'creditorQuery', 'batch', 'batchList', 'transfer');
