/** Reads what a person typed after a command. What cannot be read ends the command with one sentence and exit code 2. */
export function orRefuse<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}
