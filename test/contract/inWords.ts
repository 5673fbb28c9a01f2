/** The parts of a requirement's id in plain words: `create:answer-lost:looked-for` is what it is about, when, and what has to come of it. */
export const inWords = (id: string): string[] =>
  id.split(':').map((part) =>
    part
      .replaceAll('-', ' ')
      .replaceAll(/(?<=\w)\.(?=[a-z])/g, ' ')
      .replaceAll(/(?<=\w)\(/g, ' (')
      .replaceAll(/(?<=[a-z])[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`),
  );
