import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import { expressHandler, fetchHandler, nodeHandler, type Receiver } from '../../sdk/webhooks/index.ts';

/** It has no types of its own, and the ones of Express 5 describe it as far as it is used here. */
const express4 = jest.requireActual<typeof express>('express-4');

export interface Serving {
  /** The port of the receiver. */
  url: string;
  stop(): Promise<void>;
}

async function listening(server: Server): Promise<Serving> {
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/deliveries`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const loopback = { port: 0, hostname: '127.0.0.1' };

/** Each as its guide writes it. */
export const servers: readonly (readonly [name: string, start: (receiver: Receiver) => Promise<Serving>])[] = [
  [
    'node:http',
    async (receiver) => {
      const deliveries = nodeHandler(receiver);
      const server = createServer((request, response) => {
        if (request.url?.split('?')[0] === '/deliveries') void deliveries(request, response);
        else response.writeHead(404).end();
      });
      return listening(server.listen(0, '127.0.0.1'));
    },
  ],
  ...(
    [
      ['Express 5', express],
      ['Express 4', express4],
    ] as const
  ).map(
    ([name, make]) =>
      [
        name,
        async (receiver: Receiver) => {
          const app = make();
          app.all('/deliveries', expressHandler(receiver));
          app.use(express.json());
          return listening(app.listen(0, '127.0.0.1'));
        },
      ] as const,
  ),
  [
    'Hono',
    async (receiver) => {
      const deliveries = fetchHandler(receiver);
      const app = new Hono().all('/deliveries', (context) => deliveries(context.req.raw));
      return listening(serve({ fetch: app.fetch, ...loopback }) as Server);
    },
  ],
];

/** Over HTTP/2, for tests that do not write HTTP/1 by themselves. */
export const serversOfBoth: typeof servers = [
  ...servers,
  [
    'node:http2',
    async (receiver) => {
      const deliveries = nodeHandler(receiver);
      const server = createHttp2Server((request, response) => void deliveries(request, response));
      const sessions = new Set<ServerHttp2Session>();
      server.on('session', (session) => sessions.add(session)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      return {
        url: `h2c://127.0.0.1:${port}/deliveries`,
        async stop() {
          for (const session of sessions) session.destroy();
          server.close();
          await once(server, 'close');
        },
      };
    },
  ],
];

export { listening, loopback };
