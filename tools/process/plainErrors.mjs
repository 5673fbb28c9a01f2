/** Loaded into a command before anything of its own (`--import`): what a person got wrong before it could begin is told in a sentence, without a stack. */
import { sentenceBeforeTheStart } from './sentence.cjs';

process.on('uncaughtException', (error) => {
  console.error(sentenceBeforeTheStart(error) ?? error);
  process.exit(1);
});
