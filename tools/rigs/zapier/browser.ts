/**
 * A person's browser, as far as an authorization needs one: it keeps cookies, follows redirects and refreshes, and reads and submits forms.
 * With a form, it sends what browsers send (the page's own Origin and Referer), so that protection against forged forms is really tested.
 */
export class Browser {
  readonly #cookies = new Map<string, string>();

  /**
   * Opens an address and follows redirects until a page is shown, or until an address begins with `stopAt`.
   *
   * @returns the page, or only its address if `stopAt` was reached
   * @throws an error after ten redirects
   */
  async open(address: string, { stopAt, form, from }: Way = {}): Promise<ShownPage> {
    let [url, body] = [address, form];
    for (let redirects = 0; redirects <= 10; redirects += 1) {
      if (stopAt !== undefined && url.startsWith(stopAt)) return { url, status: 0, html: '' };
      const headers = {
        accept: 'text/html',
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(from === undefined ? {} : { referer: from }),
        ...(body === undefined ? {} : { origin: new URL(from ?? url).origin }),
      };
      const response = await fetch(url, { redirect: 'manual', headers, ...(body === undefined ? {} : { method: 'POST', body }) });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=;]*)=([^;]*)/.exec(cookie) ?? [];
        this.#cookies.set(name.trim(), value.trim());
      }
      const isRedirect = response.status >= 300 && response.status <= 399;
      const location = isRedirect ? response.headers.get('location') : /^0; url=(.+)/.exec(response.headers.get('refresh') ?? '')?.[1];
      if (location === null || location === undefined) return { url, status: response.status, html: await response.text() };
      await response.body?.cancel();
      url = new URL(location, url).href;
      body = undefined;
    }
    throw new Error(`${address} redirects in a loop.`);
  }

  /**
   * Submits the form that has a button with this text, by pressing that button.
   *
   * @param fields values that replace those in the form
   * @throws an error with the page's text if it has no such button
   */
  async press(page: ShownPage, button: RegExp, { stopAt, fields }: Way & { fields?: Record<string, string> } = {}): Promise<ShownPage> {
    for (const form of formsOf(page.html)) {
      const pressed = form.buttons.find(({ text, value }) => button.test(text) || button.test(value));
      if (pressed === undefined) continue;
      const own = pressed.name === '' ? {} : { [pressed.name]: pressed.value };
      const values = new URLSearchParams({ ...form.fields, ...own, ...fields });
      return this.open(new URL(form.action, page.url).href, { form: values, from: page.url, stopAt });
    }
    const said = textOf(page.html).slice(0, 300);
    throw new Error(`The page at ${page.url} (status ${page.status}) has no button like ${button.source}: ${said}`);
  }

  /** Agrees on a consent page, if the service shows one. @returns the address, beginning with `back`, to which it sends the browser */
  async agree(address: string, back: string): Promise<string> {
    const page = await this.open(address, { stopAt: back });
    const landed = page.status === 0 ? page : await this.press(page, /allow|approve|authori[sz]e|connect/i, { stopAt: back });
    if (landed.status !== 0) throw new Error(`The service did not send the browser back: ${landed.url} answered ${landed.status}.`);
    return landed.url;
  }
}

interface Way {
  /** Stops at an address that begins with this. */
  stopAt?: string | undefined;
  form?: URLSearchParams;
  /** The address of the page with the form. */
  from?: string;
}

/** A page that was shown, or an address that was reached (status 0). */
export interface ShownPage {
  url: string;
  status: number;
  html: string;
}

function formsOf(html: string) {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, attributes = '', inside = '']) => ({
    action: attribute(attributes, 'action'),
    fields: Object.fromEntries<string>(
      [...inside.matchAll(/<input\b([^>]*)>/gi)]
        .map(([, input = '']) => input)
        .filter((input) => !/\btype="(radio|checkbox)"/i.test(input) || /\bchecked\b/i.test(input))
        .map((input) => [attribute(input, 'name'), attribute(input, 'value')] as const)
        .filter(([name]) => name !== ''),
    ),
    buttons: [...inside.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/gi)].map(([, button = '', text = '']) => ({
      name: attribute(button, 'name'),
      value: attribute(button, 'value'),
      text: textOf(text),
    })),
  }));
}

function attribute(tag: string, name: string): string {
  const [, value = ''] = new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(tag) ?? [];
  return value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** The text of a page, without markup. */
export function textOf(html: string): string {
  return html
    .replace(/<(style|script)[\s\S]*?<\/\1>/gi, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
