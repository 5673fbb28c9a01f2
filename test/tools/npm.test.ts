import { whyNpmFailed } from '../../tools/process/npm.cjs';

describe('what npm printed before it gave up, in a few words', () => {
  it.each([
    [
      'no network',
      'npm error code ECONNREFUSED\nnpm error syscall connect\nnpm error A complete log of this run can be found in: /home/a/.npm/_logs/1.log',
      "ECONNREFUSED; npm's log is /home/a/.npm/_logs/1.log",
    ],
    [
      'a compiler that is not there',
      'gyp ERR! not ok\nnpm error code 1\nnpm error command failed\nnpm error A complete log of this run can be found in: /home/a/2.log',
      "a command ended with 1; npm's log is /home/a/2.log",
    ],
    ['an older npm', 'npm ERR! code E404\nnpm ERR! 404 Not Found', 'E404'],
    ['something that is not npm at all', 'first\nsh: npm: not found\n', 'sh: npm: not found'],
  ])('%s', (_, output, words) => {
    expect(whyNpmFailed(output)).toBe(words);
  });
});
