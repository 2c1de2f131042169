/** The placeholder for a secret that is set; the secret itself stays on the server (behaviour, sections 3 and 10.8). */
export const secretIsSet = '••••••••';
