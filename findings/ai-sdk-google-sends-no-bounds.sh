#!/usr/bin/env bash
# Packages: @ai-sdk/google 3.0.141 with ai 6.0.326, compared with @ai-sdk/openai 3.0.141.
# The good guess: every model reads what a tool's schema says about an argument; the provider makes no difference.
# What is seen: for Gemini, minimum, maximum, default, pattern and minItems are dropped without a warning, while format is sent. For OpenAI,
#   all six are sent.
# Why it matters: one model knows "at most 50"; the other does not, asks for 100 and is refused. Repeat in the description every limit that
#   a model must respect.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @ai-sdk/google@3.0.141 @ai-sdk/openai@3.0.141 ai@6.0.326 zod@4.6.7 >> npm.log 2>&1
cat > bounds.mjs <<'END'
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, tool } from 'ai';
const inputSchema = jsonSchema({
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
    url: { type: 'string', format: 'uri', pattern: '^https:' },
    events: { type: 'array', minItems: 1, items: { type: 'string' } },
  },
  additionalProperties: false,
});
let sent;
const fetch = async (_, { body }) => {
  sent = JSON.parse(body);
  throw new Error('read');
};
const show = async (name, model, schemaIn) => {
  const tools = { list: tool({ description: 'Lists', inputSchema }) };
  await generateText({ model, prompt: 'List.', tools, maxRetries: 0 }).catch(() => undefined);
  const { properties } = schemaIn(sent);
  const sorted = Object.entries(properties).map(([key, schema]) => `${key} {${Object.keys(schema).sort().join(', ')}}`);
  console.log(`${name}: ${sorted.sort().join(' ')}`);
};
await show('Gemini', createGoogleGenerativeAI({ apiKey: 'k', fetch })('gemini-2.5-flash'), ({ tools }) => tools[0].functionDeclarations[0].parameters);
await show('OpenAI', createOpenAI({ apiKey: 'k', fetch }).responses('gpt-5'), ({ tools }) => tools[0].parameters);
END
node bounds.mjs > seen
cat seen
cat > expected <<'END'
Gemini: events {items, type} limit {type} url {format, type}
OpenAI: events {items, minItems, type} limit {default, maximum, minimum, type} url {format, pattern, type}
END
diff expected seen
