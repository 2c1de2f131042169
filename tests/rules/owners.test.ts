import { expect, it } from 'vitest';
import { ownersNamed } from '#rules/owners.ts';
import { rehearsalName } from '#rules/rehearsal.ts';

const owner = (companyId: string, companyName = '') => ({ organisationId: 'organisation-1', companyId, companyName });
const [first, second] = ['11111111-aaaa-4000-8000-000000000001', '22222222-bbbb-4000-8000-000000000002'];

it('companies are named, those of rehearsals counted', () => {
  const owners = [owner(first, 'Applewick'), owner('', ''), owner('r1', rehearsalName), owner('r2', rehearsalName)];
  expect(ownersNamed(owners)).toMatch(/^Applewick, organisation .+ without a company and 2 rehearsal companies$/);
});

it.each([
  ['within a sentence', [owner(first, 'Applewick'), owner(second, 'Applewick')], []],
  ['in the sentences beside', [owner(first, 'Applewick')], [owner(second, 'Applewick')]],
])('a name that another company has too, %s, comes with the id (behaviour 10.27.7)', (_, owners, others) => {
  expect(ownersNamed(owners, others)).toMatch(/^Applewick \(11111111.*0001\)/);
});

it('a name of its own stays alone', () => {
  expect(ownersNamed([owner(first, 'Applewick')], [owner(second, 'Second')])).toBe('Applewick');
});
