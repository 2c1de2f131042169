import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownBody } from '#rules/ownForm.ts';
import { consoleWithSandbox, silent } from '#tests/support/console.ts';
import { filled } from '#tests/support/bodies.ts';
import { takenValues } from '#tests/support/forms.ts';
import { logIn } from '#tests/support/guidedPath.ts';

const unbounded = { perSecond: 1_000_000, burst: 1_000_000 };
/** Few runs, because each is a call over HTTP. */
const each = <Values>(values: fc.Arbitrary<Values>, send: (taken: Values) => Promise<unknown>) =>
  fc.assert(
    fc.asyncProperty(values, async (taken) => {
      await send(taken);
    }),
    { numRuns: 10 },
  );

describe('Values that the console’s forms accept', () => {
  it('are accepted by the console and the service, from organisation to data set (behaviour 5.7; wire 2.5.3)', async () => {
    const { done } = await consoleWithSandbox(silent, unbounded);
    await each(takenValues('organisation'), (values) =>
      done('createOrganisation', { body: ownBody('organisation', values) }),
    );
    await each(takenValues('company'), (values) => done('createCompany', { body: ownBody('company', values) }));
    await logIn({ done });
    const { sub: identityId, email } = (await done('getUserInfo')).data;
    const owner = { user: { email, locale: 'en', identityId } };
    await each(takenValues('account'), (values) => {
      const attributes = { ...ownBody('account', values), externalSource: 'console' };
      return done('createAccount', { body: { data: { type: 'Account', attributes, owner } } });
    });
    await each(takenValues('dataset'), (values) =>
      done('createDataset', { body: { data: { type: 'DataSet', attributes: ownBody('dataset', values) } } }),
    );
  });

  it('include every signing key that the service may have issued for an organisation', async () => {
    const { done, refused } = await consoleWithSandbox();
    const { organisationId } = await done('createOrganisation', { body: filled('organisation') });
    await each(takenValues('existing'), async (values) => {
      // The service knows none of these keys, but the body is valid.
      const problem = await refused('useExisting', { body: { ...ownBody('existing', values), organisationId } });
      expect(problem.code).not.toBe('invalid-request');
    });
  });
});
