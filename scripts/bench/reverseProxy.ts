/** `@fastify/http-proxy` as a process of its own, in front of the URL in `argv`; prints its own URL. */
import { argv } from 'node:process';
import proxy from '@fastify/http-proxy';
import { fastify } from 'fastify';

const server = fastify();
await server.register(proxy, { upstream: argv[2]! }); // given
console.log(await server.listen({ host: '127.0.0.1', port: 0 }));
