import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import serverlessExpress from '@codegenie/serverless-express';
import awsLambdaFastify from '@fastify/aws-lambda';
import express from 'express';
import Fastify from 'fastify';
import serverlessHttp from 'serverless-http';
import { expressHandler, lambdaHandler, nodeHandler } from 'acme-scheduling/webhooks';
import { port, receiver } from './receiver.js';

const onExpress = express().all('/', expressHandler(receiver));
const parsing = express().use(express.json()).all('/', expressHandler(receiver));
const onFastify = Fastify();
onFastify.removeAllContentTypeParsers();
onFastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
onFastify.all('/', nodeHandler(receiver));

const functions = {
  own: lambdaHandler(receiver),
  'serverless-http': serverlessHttp(onExpress),
  'serverless-http-parsed': serverlessHttp(parsing),
  'serverless-express': serverlessExpress({ app: onExpress }),
  'fastify-aws-lambda': awsLambdaFastify(onFastify),
};

/** The events of API Gateway, as its documents show them. */
const events = {
  v1: (request) => ({
    ...{ version: '1.0', resource: '/', path: '/', httpMethod: request.method, requestContext: { identity: { sourceIp: '127.0.0.1' } } },
    multiValueHeaders: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, [value]])),
  }),
  v2: (request) => ({
    ...{ version: '2.0', routeKey: '$default', rawPath: '/', rawQueryString: '' },
    requestContext: { http: { method: request.method, path: '/', sourceIp: '127.0.0.1' } },
  }),
};

/** `/<function>/<version>` or `/<function>/<version>/base64`. */
createServer(async (request, response) => {
  const [, name, version, encoding = 'utf8'] = request.url.split('/');
  const body = (await buffer(request)).toString(encoding);
  const event = { ...events[version](request), headers: request.headers, body, isBase64Encoded: encoding === 'base64' };
  const answer = await functions[name](event, {});
  response.writeHead(answer.statusCode).end(answer.body);
}).listen(port);
