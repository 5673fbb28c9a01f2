import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The service's name may only be written in brand.json: anywhere else it would stay when the brand changes.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const noServiceName = {
  meta: { type: 'problem', schema: [], docs: { description: 'Read the brand instead of writing it down' } },
  create(context) {
    /** @type {unknown} */
    const brand = JSON.parse(readFileSync(join(context.cwd, 'brand.json'), 'utf8'));
    const name = typeof brand === 'object' && brand !== null && 'name' in brand ? String(brand.name) : '';
    const word = (name.split(' ')[0] ?? name).toLowerCase();
    /** @param {import('estree').Node} at @param {unknown} text */
    const judge = (at, text) => {
      if (typeof text === 'string' && word !== '' && text.toLowerCase().includes(word)) {
        context.report({ node: at, message: `'${text.trim().slice(0, 60)}' names the service: read it from the brand.` });
      }
    };
    // An example imports the package by its name, like any application that copies it. `npm run brand` renames it there.
    const isExample = context.filename.startsWith(join(context.cwd, 'examples'));
    return {
      Literal: (at) => {
        if (!isExample || at.parent.type !== 'ImportDeclaration') judge(at, at.value);
      },
      TemplateElement: (at) => judge(at, at.value.cooked),
    };
  },
};
