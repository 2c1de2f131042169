/** The name of each company that a rehearsal creates, by which it is marked wherever companies are shown. */
export const rehearsalName = 'Rehearsal';

export const isRehearsal = ({ companyName }: { companyName: string }): boolean => companyName === rehearsalName;
