import { locale } from '#contract/constants.ts';
import { counted } from './counted.ts';
import { isRehearsal } from './rehearsal.ts';
import { shortId } from './shortId.ts';

interface Owner {
  organisationId: string;
  companyId: string;
  companyName: string;
}

const ownerName = ({ organisationId, companyId, companyName }: Owner): string =>
  companyName ||
  (companyId ? `company ${shortId(companyId)}` : `organisation ${shortId(organisationId)} without a company`);

const listed = new Intl.ListFormat(locale, { type: 'conjunction' });

/**
 * Names companies and organisations in a sentence; counts those of rehearsals, which have one name. A name that another one has,
 * of these or of `others` in the sentences beside, comes with the company's id.
 */
export function ownersNamed(owners: readonly Owner[], others: readonly Owner[] = []): string {
  const rehearsals = owners.filter(isRehearsal).length;
  const all = [...owners, ...others].map(ownerName);
  const isShared = (name: string): boolean => all.indexOf(name) !== all.lastIndexOf(name);
  const names = owners
    .filter((each) => !isRehearsal(each))
    .map((each) => [ownerName(each), isShared(ownerName(each)) && ` (${shortId(each.companyId)})`])
    .map((parts) => parts.filter(Boolean).join(''));
  return listed.format([
    ...names,
    ...(rehearsals > 0 ? [counted(rehearsals, 'rehearsal company', 'rehearsal companies')] : []),
  ]);
}
