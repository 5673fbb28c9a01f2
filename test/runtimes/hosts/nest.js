import 'reflect-metadata';
import { All, Controller, Module, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { nodeHandler } from 'acme-scheduling/webhooks';
import { port, receiver } from './receiver.js';

const deliveries = nodeHandler(receiver);

class Deliveries {
  receive(request, response) {
    return deliveries(request, response);
  }
}
Controller()(Deliveries);
All('deliveries')(Deliveries.prototype, 'receive', Object.getOwnPropertyDescriptor(Deliveries.prototype, 'receive'));
Req()(Deliveries.prototype, 'receive', 0);
Res()(Deliveries.prototype, 'receive', 1);

class Application {}
Module({ controllers: [Deliveries] })(Application);

const adapter = process.env.ADAPTER === 'fastify' ? [new FastifyAdapter()] : [];
const app = await NestFactory.create(Application, ...adapter, { rawBody: process.env.RAW_BODY === 'true', logger: false });
await app.listen(port);
