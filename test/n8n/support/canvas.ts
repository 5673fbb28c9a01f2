import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../tools/root.cjs';
import type { Editor } from './editor.ts';

/** Keeps a picture of the nodes of the open workflow for people, without the notes and the editor around them. */
export async function canvasPicture({ page, at, answered }: Editor, name: string): Promise<void> {
  await at('canvas-node').first().waitFor();
  await answered();
  // Large enough for n8n to show all of it in its full size. It stays so: nodes outside of the window cannot be pressed.
  await page.setViewportSize({ width: 2600, height: 1400 });
  const around = '[data-test-id="node-issues"], [data-test-id="sticky"], [data-test-id*="handle-plus"] { display: none !important }';
  const style = await page.addStyleTag({ content: around });
  await page.keyboard.press('1');
  // n8n shows buttons where the mouse is.
  await page.mouse.move(1300, 1);
  // The canvas moves to its place in half a second.
  await page.waitForTimeout(1000);
  const nodesAndLines = page.locator('[data-test-id="canvas-node"], .vue-flow__edge-path');
  const boxes = await Promise.all((await nodesAndLines.all()).map((each) => each.boundingBox()));
  const drawn = boxes.flatMap((box) => (box === null ? [] : [box]));
  const edge = { side: 56, top: 32, bottom: 80 };
  const [x, y] = [Math.min(...drawn.map((box) => box.x)) - edge.side, Math.min(...drawn.map((box) => box.y)) - edge.top];
  const width = Math.max(...drawn.map((box) => box.x + box.width)) + edge.side - x;
  const height = Math.max(...drawn.map((box) => box.y + box.height)) + edge.bottom - y;
  const folder = join(root, 'docs', 'images', 'templates');
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), clip: { x, y, width, height }, animations: 'disabled' });
  await style.evaluate('(element) => element.remove()');
}
