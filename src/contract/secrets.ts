/** What stands in for a secret that is set; the value itself stays on the server (spec: settings; ux, rule 8). */
export const secretIsSet = '••••••••';
