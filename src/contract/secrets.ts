/**
 * Replaces the value of a secret that is set; the value itself stays on the server (behaviour, sections 3 and 10.8).
 */
export const secretIsSet = '••••••••';
