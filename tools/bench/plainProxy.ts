/** A proxy that only passes on, as a process of its own; prints its URL. `argv`: the URL of the service. */
import { argv } from 'node:process';
import httpProxy from '@fastify/http-proxy';
import fastify from 'fastify';

const server = fastify();
await server.register(httpProxy, { upstream: argv[2]! }); // given
console.log(await server.listen({ host: '127.0.0.1', port: 0 }));
