import { spawn } from 'node:child_process';

const waysToOpen: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] };

/** Opens an address in the person's browser, if this machine has one. */
export function openInBrowser(address: string): void {
  const [program = '', ...args] = waysToOpen[process.platform] ?? ['xdg-open'];
  const opened = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  // Without a browser, the person opens the printed address.
  opened.once('error', () => undefined);
  opened.unref();
}
