/**
 * Loaded into a command before its own code (`--import`): an early error that a person caused is shown as a sentence, without a stack
 * trace.
 */
import { sentenceBeforeTheStart } from './sentence.cjs';

process.on('uncaughtException', (error) => {
  console.error(sentenceBeforeTheStart(error) ?? error);
  process.exit(1);
});
