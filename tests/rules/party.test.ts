import { describe, expect, it } from 'vitest';
import { flatCreditor, flatDebtor } from '#rules/party.ts';
import { textAt } from '#rules/path.ts';

describe('flat debtors and creditors', () => {
  it('map the nested body of a debtor to the specified names', () => {
    const body = {
      debtorId: 'd1',
      subscriptionId: 's1',
      debtorAccount: { name: 'Main', identification: '12345678' },
      debtorAgent: { identification: '200000' },
      currency: 'GBP',
    };
    expect(flatDebtor(body)).toEqual({
      debtorId: 'd1',
      debtorAccountname: 'Main',
      debtorAgentidentification: '200000',
      debtorAccountidentification: '12345678',
      currency: 'GBP',
      subscriptionId: 's1',
    });
  });

  it('map the nested postal address of a creditor', () => {
    const postalAddress = {
      addressLine1: '1 High Street',
      addressLine3: 'Leeds',
      countrySubdivision: 'West Yorkshire',
      countryCode: 'GB',
      postalCode: 'LS1 1AA',
    };
    const body = {
      creditorId: 'c1',
      subscriptionId: 's1',
      creditor: { name: 'Paper & Sons', postalAddress },
      creditorAgent: { identification: '300000' },
      creditorAccount: { identification: '87654321', secondaryIdentification: '0001' },
    };
    expect(flatCreditor(body)).toEqual({
      creditorId: 'c1',
      creditorname: 'Paper & Sons',
      creditorAgentidentification: '300000',
      creditorAccountidentification: '87654321',
      creditorAccountSecondaryIdentification: '0001',
      creditorAddress1: '1 High Street',
      creditorAddress3: 'Leeds',
      creditorCountrySubDivision: 'West Yorkshire',
      creditorCountryCode: 'GB',
      creditorPostalCode: 'LS1 1AA',
      subscriptionId: 's1',
    });
  });

  it('have empty values for members that are missing or of the wrong type', () => {
    const flat = flatDebtor({
      debtorId: 'd1',
      debtorAccount: 'x',
      debtorAgent: [{ identification: '1' }],
      currency: { code: 'GBP' },
    });
    expect(flat).toEqual({
      debtorId: 'd1',
      debtorAccountname: '',
      debtorAgentidentification: '',
      debtorAccountidentification: '',
      currency: '',
      subscriptionId: '',
    });
  });

  it('map a number to a string of its digits', () => {
    const body = { debtorAccount: { identification: 12345678 }, debtorAgent: { identification: 200000 } };
    expect(flatDebtor(body)).toMatchObject({
      debtorAccountidentification: '12345678',
      debtorAgentidentification: '200000',
    });
  });

  it('ignore inherited members and members of null (threat 4.5)', () => {
    expect(textAt({ a: 'x' }, 'a.constructor.name')).toBe('');
    expect(textAt({}, 'constructor.name')).toBe('');
    expect(textAt({ creditor: null }, 'creditor.name')).toBe('');
  });
});
