import { useEffect, useState } from 'react';

/** How long (ms) the result is shown. */
const confirmation = 2000;

/** Returns a function that copies a text to the clipboard, and for two seconds afterwards whether that succeeded, in words. */
export function useCopy(): { said: string; copy: (text: string) => void } {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(() => setSaid(''), confirmation);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (text: string) =>
    // Browsers provide the clipboard only on https and localhost.
    void Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setSaid('Copied'),
      () => setSaid('Copying is not possible here'),
    );
  return { said, copy };
}
