import { chakra } from '@chakra-ui/react';

/** An id, a path or a value of the service: data, which a translator of the browser leaves as it is. */
export const Code = chakra('code', {}, { defaultProps: { translate: 'no' } });
