/** What stands in for a secret that is set; the value itself stays on the server (behaviour, section 3; behaviour, section 10.8). */
export const secretIsSet = '••••••••';
