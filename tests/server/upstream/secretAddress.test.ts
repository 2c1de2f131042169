import { expect, it } from 'vitest';
import { secretAddress } from '#server/upstream/secretAddress.ts';

const batch = '5b0c91de-0000-4000-8000-0000000077a1';

it.each([
  [`/files/${batch}?token=abcdefghij`, `/files/${batch}?token=$TOKEN`, ['abcdefghij']],
  ['/files/another-00000-1?token=abcdefghij', '/files/$TOKEN?token=$TOKEN', ['another-00000-1', 'abcdefghij']],
  ['/v3/payment-files/Xy3kQ9pLm2/file.txt', '/v3/payment-files/$TOKEN/file.txt', ['Xy3kQ9pLm2']],
  ['/b/f?X-Expires=60&X-Signature=ab%2Fcd%2Fef%3D', '/b/f?X-Expires=$TOKEN&X-Signature=$TOKEN', ['ab%2Fcd%2Fef%3D']],
  ['/f?abcdefghijk', '/f?$TOKEN', ['abcdefghijk']],
  ['/correcthorsebatterystaple', '/$TOKEN', ['correcthorsebatterystaple']],
  ['/', '/', []],
])('the address of a link is shown without what may be its secret: %s (behaviour 10.25.8)', (path, shown, parts) => {
  const link = new URL(`https://files.example${path}`);
  expect(secretAddress(link, [batch])).toEqual({
    shown: `https://files.example${shown}`,
    secrets: [path.slice(1), ...parts],
  });
});
