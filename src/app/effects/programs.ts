import { programsMachine } from '#machines/lab/programs.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { call } from '../api/client.ts';

export const programs = provideEffects(programsMachine, {
  readPrograms: async (_, signal) => (await call('getPrograms', { signal })).data,
  make: async (name) => (await call('makeProgramToken', { body: { name } })).data,
  confirm: async (tokenId) => {
    await call('confirmProgramToken', { params: { tokenId } });
  },
  revoke: async (tokenId) => {
    await call('revokeProgramToken', { params: { tokenId } });
  },
});
