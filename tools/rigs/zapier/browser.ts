/**
 * A person's browser, as far as an authorization needs one: it keeps cookies, follows redirects and pages that refresh to another, reads
 * forms and submits them. With a form it sends what browsers send (the page's own Origin and Referer), so that a protection against forged
 * forms is really tested.
 */
export class Browser {
  readonly #cookies = new Map<string, string>();

  /**
   * Opens an address and follows redirects until a page is shown, or a redirect leads to an address that begins with `stopAt`.
   *
   * @returns the page, or only its address if `stopAt` was reached
   * @throws an error after ten redirects
   */
  async open(address: string, options: { stopAt?: string; form?: URLSearchParams; from?: string } = {}): Promise<Page> {
    let url = address;
    let form = options.form;
    for (let redirects = 0; redirects <= 10; redirects += 1) {
      if (options.stopAt !== undefined && url.startsWith(options.stopAt)) return { url, status: 0, html: '' };
      const response = await fetch(url, {
        method: form === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: {
          accept: 'text/html',
          cookie: this.#cookieHeader(),
          ...(options.from === undefined ? {} : { referer: options.from }),
          ...(form === undefined
            ? {}
            : { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(options.from ?? url).origin }),
        },
        ...(form === undefined ? {} : { body: form.toString() }),
      });
      for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
      const isRedirect = response.status >= 300 && response.status <= 399;
      const location = isRedirect ? response.headers.get('location') : response.headers.get('refresh')?.replace(/^0; url=/, '');
      if (location === null || location === undefined) return { url, status: response.status, html: await response.text() };
      await response.body?.cancel();
      url = new URL(location, url).href;
      form = undefined;
    }
    throw new Error(`${address} redirects in a loop.`);
  }

  /**
   * Submits the form of a page that has a button with this text, by pressing that button.
   *
   * @param fields values that replace those in the form
   * @throws an error with the page's text if it has no such button
   */
  async press(page: Page, button: RegExp, options: { stopAt?: string; fields?: Record<string, string> } = {}): Promise<Page> {
    for (const form of formsOf(page.html)) {
      const pressed = form.buttons.find(({ text, value }) => button.test(text) || button.test(value));
      if (pressed === undefined) continue;
      const values = new URLSearchParams({
        ...form.fields,
        ...(pressed.name === '' ? {} : { [pressed.name]: pressed.value }),
        ...options.fields,
      });
      const target = new URL(form.action, page.url).href;
      const { stopAt } = options;
      return this.open(target, { form: values, from: page.url, ...(stopAt === undefined ? {} : { stopAt }) });
    }
    throw new Error(
      `The page at ${page.url} (status ${page.status}) has no button like ${button.source}: ${textOf(page.html).slice(0, 300)}`,
    );
  }

  #keep(header: string): void {
    const [pair = ''] = header.split(';');
    const split = pair.indexOf('=');
    this.#cookies.set(pair.slice(0, split).trim(), pair.slice(split + 1).trim());
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** A page that was shown, or an address that was reached (status 0). */
export interface Page {
  url: string;
  status: number;
  html: string;
}

interface Form {
  action: string;
  fields: Record<string, string>;
  buttons: { name: string; value: string; text: string }[];
}

function formsOf(html: string): Form[] {
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

function textOf(html: string): string {
  return html
    .replace(/<style[\s\S]*?<\/style>/gi, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
