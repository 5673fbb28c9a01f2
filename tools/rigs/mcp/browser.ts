import { Browser } from '../zapier/browser.ts';

/** A person at a browser: opens the consent page, answers it, and is sent back to the program that asked. */
export async function agree(address: string, button = /approve/i): Promise<void> {
  const browser = new Browser();
  await browser.press(await browser.open(address), button);
}
