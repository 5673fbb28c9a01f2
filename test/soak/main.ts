import './n8nWorkflow.ts';

const { command } = await import('./command.ts');
process.exitCode = await command(process.argv.slice(2));
