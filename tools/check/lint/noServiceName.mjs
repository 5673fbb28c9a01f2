import { brand } from '../../../shared/brand.ts';
import { marksOf } from '../../build/brand/replace.ts';

const marks = marksOf(brand);

/**
 * The service's headers and packages may not be written down: the brand has them, and changes them. Its name and its address are not
 * looked for, because they may be ordinary words and `https://example.com`.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const noServiceName = {
  meta: { type: 'problem', schema: [], docs: { description: 'Read the brand instead of writing it down' } },
  create(context) {
    /** @param {import('estree').Node} at @param {unknown} text */
    const judge = (at, text) => {
      if (typeof text === 'string' && marks.some((mark) => text.includes(mark)))
        context.report({ node: at, message: `'${text.trim().slice(0, 60)}' names the service: read it from the brand.` });
    };
    return { Literal: (at) => judge(at, at.value), TemplateElement: (at) => judge(at, at.value.cooked) };
  },
};
