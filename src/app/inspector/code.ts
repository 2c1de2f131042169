import { csharp } from './code/csharp.ts';
import { curl } from './code/curl.ts';
import { java } from './code/java.ts';
import { javascript } from './code/javascript.ts';
import { planOf, type CodeRequest, type Plan } from './code/request.ts';

const writers = {
  cURL: curl,
  fetch: javascript,
  'C#': csharp,
  Java: java,
} as const satisfies Record<string, (plan: Plan) => string>;

export type Language = keyof typeof writers;
export const languages = Object.keys(writers) as Language[]; // its own

/**
 * A request to the service as code that makes it. Secrets stand as $TOKEN, $API_KEY and $SIGNING_KEY, which the code
 * takes from its environment, whatever the request has in their place; nonce, signature and a missing idempotency key
 * ($KEY) are made by the code.
 */
export const codeOf = (request: CodeRequest, language: Language): string => writers[language](planOf(request));
