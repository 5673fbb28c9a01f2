import { brand } from '../shared/brand.ts';
import { newKey } from './database/vault.ts';
import { logEverything, logTo } from './log.ts';
import { startServer } from './server.ts';
import { readSettings, settingsHelp } from './settings.ts';
import manifest from './package.json' with { type: 'json' };

const name = `${brand.slug}-mcp-server`;
const help = `${name}: ${brand.name} for everybody's AI assistants, over the Model Context Protocol

  ${name}            serves until it is asked to stop
  ${name} new-key    prints a key for SCHEDULING_MCP_KEYS

${settingsHelp}`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** Lines within this time are written together, because each write blocks everything else. Milliseconds. */
const momentMs = 100;
const lines: string[] = [];
const flush = (): void => {
  if (lines.length > 0) say(lines.splice(0).join('\n'));
};
process.on('exit', flush);
const log = logTo((line) => {
  if (lines.push(line) === 1) setTimeout(flush, momentMs);
});

async function serve(): Promise<void> {
  const settings = readSettings(process.env);
  logEverything(log);
  const running = await startServer(settings, log);
  log('info', 'serving', {
    address: running.address,
    at: `${settings.origin}/mcp`,
    database: settings.databaseUrl === undefined ? 'file' : 'PostgreSQL',
  });
  const stop = async (): Promise<never> => {
    log('info', 'stopping');
    await running.stop();
    process.exit(0);
  };
  let stopping: Promise<never> | undefined;
  // A program that starts this one may forward a signal that both got, so a second signal must not end running calls.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void (stopping ??= stop()));
}

const [command = 'serve'] = process.argv.slice(2);
try {
  if (command === 'serve') await serve();
  else if (command === 'new-key') say(newKey());
  else if (command === '--version') say(manifest.version);
  else if (['--help', '-h', 'help'].includes(command)) say(help);
  else throw new Error(`"${command}" is not a command. See ${name} --help.`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
