/**
 * Loaded into a command before its own code (`--import`). Shows a mistake in brand.json, which every source reads, as a sentence without a
 * stack trace.
 */
process.on('uncaughtException', (error) => {
  const [, file = '', reason] = /^(?:file:\/\/)?(\S*brand\.json): (.+)/.exec(error.message) ?? [];
  if (error.message.startsWith('brand.json ')) console.error(error.message);
  else if (error instanceof SyntaxError && file !== '')
    console.error(`${decodeURI(file)} is not JSON: ${reason}. Correct it and run the same command again.`);
  else console.error(error);
  process.exit(1);
});
