#!/usr/bin/env bash
# Packages: @modelcontextprotocol/client 2.4.0, which validates with ajv in Node.js and with @cfworker/json-schema in browsers and workers
#   (with ajv 8.20.0), and zod 4.6.7, with which servers validate.
# The good guess: a schema is a standard, so a result that the server accepts is accepted by its clients, wherever they run.
# What is seen: 19.99 is a multiple of 0.01 for zod and in workers, but not in Node.js, where the two are divided as floating-point numbers.
#   An email address at a host without a dot and a time without an offset are rejected in Node.js only; null for "nullable" is rejected in
#   workers only.
# Why it matters: a tool that returns a price works in one assistant and fails in another, after its work is done, and only for some prices
#   (19.98 passes). Use cents, and leave multipleOf and formats out of output schemas.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/client@2.4.0 ajv@8.20.0 zod@4.6.7 >> npm.log 2>&1
cat > judges.mjs <<'END'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import { z } from 'zod';
const judges = { 'Node.js': new AjvJsonSchemaValidator(), workers: new CfWorkerJsonSchemaValidator() };
const judge = (says, schema, value, byZod) => {
  const all = Object.entries(judges).map(([name, one]) => [name, one.getValidator(schema)(value).valid]);
  if (byZod !== undefined) all.unshift(['zod', byZod]);
  console.log(`${JSON.stringify(value)}, ${says}: ${all.map(([name, taken]) => `${name} ${taken ? 'takes' : 'refuses'} it`).join(', ')}`);
};
const price = z.number().multipleOf(0.01);
for (const value of [19.98, 19.99, 0.07]) judge('a multiple of 0.01', z.toJSONSchema(price), value, price.safeParse(value).success);
judge('an email', { type: 'string', format: 'email' }, 'desk@intranet');
judge('a time', { type: 'string', format: 'time' }, '09:00:00');
judge('a nullable text', { type: 'string', nullable: true }, null);
END
node judges.mjs > seen
cat seen
cat > expected <<'END'
19.98, a multiple of 0.01: zod takes it, Node.js takes it, workers takes it
19.99, a multiple of 0.01: zod takes it, Node.js refuses it, workers takes it
0.07, a multiple of 0.01: zod takes it, Node.js refuses it, workers takes it
"desk@intranet", an email: Node.js refuses it, workers takes it
"09:00:00", a time: Node.js refuses it, workers takes it
null, a nullable text: Node.js takes it, workers refuses it
END
diff expected seen
