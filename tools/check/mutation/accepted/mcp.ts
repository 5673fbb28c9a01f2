import type { Accepted } from '../report.ts';

export const accepted: readonly Accepted[] = [
  {
    why: 'Only when a whole process ends shows whether a wait keeps it running.',
    changes: {
      'mcp/program.ts': [
        ['{ ref: false }', '{}'],
        ['false', 'true'],
      ],
    },
  },
  { why: 'It is replaced before it is read.', changes: { 'mcp/exchange.ts': [['{ status: 0, headers: {} }', '{}']] } },
];
