import './n8nWorkflow.ts';

const { command } = await import('./command.ts');
await command();
