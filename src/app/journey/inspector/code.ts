import { curl } from './code/curl.ts';
import { go } from './code/go.ts';
import { java } from './code/java.ts';
import { javascript } from './code/javascript.ts';
import { php } from './code/php.ts';
import { python } from './code/python.ts';
import type { Language } from './code/languages.ts';
import { planOf, type CodeRequest, type Plan } from './code/request.ts';

const writers = {
  'cURL (bash)': curl,
  fetch: javascript,
  Java: java,
  Python: python,
  Go: go,
  PHP: php,
} as const satisfies Record<Language, (plan: Plan) => string>;

/**
 * Returns code that sends a request to the service. Secrets are replaced by variables (`copiedVariables`), which the code
 * reads from its environment or a file `.env`, whether or not they are masked in the request. The code itself creates
 * the nonce, the signature and a missing idempotency key ($KEY).
 */
export const codeOf = (request: CodeRequest, language: Language): string => writers[language](planOf(request));
