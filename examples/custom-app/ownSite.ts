import { isServiceError } from 'acme-scheduling';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import type { Application } from './application.ts';
import { headers, ownPagesOnly, signedIn } from './guard.ts';
import { bookingForm, bookings, connected, eventTypes, notConnected, overview, page, sentence } from './pages.ts';

/** The cookie that ties an attempt to connect to the browser that started it. A response in another browser is refused. */
const attemptCookie = 'connecting';

/** The maximum size of a form, more than any needs. Bytes. */
const maxOfAForm = 64 * 1024;

/**
 * The pages for the person who runs the application.
 *
 * @param origins the addresses of the pages
 */
export function ownSite(application: Application, origins: readonly string[]): Hono {
  const { client, oauth, events, settings } = application;
  const site = new Hono();
  site.use(headers, ownPagesOnly(origins, '/connected'), signedIn(settings.password), bodyLimit({ maxSize: maxOfAForm }));

  site.get('/', async (context) => {
    if (!(await application.isConnected())) return context.html(page('Overview', notConnected()));
    const { name, timeZone } = await application.host();
    return context.html(page('Overview', overview(name, await events.last(20), timeZone)));
  });

  site.get('/bookings', async (context) => {
    const [{ timeZone }, list] = await Promise.all([application.host(), client.bookings.list({}, { limit: 20 }).all()]);
    return context.html(page('Bookings', bookings(list, timeZone)));
  });

  site.get('/book', async (context) => {
    const id = context.req.query('event_type_id');
    if (id !== undefined) {
      const [{ timeZone }, type] = await Promise.all([application.host(), client.eventTypes.get({ event_type_id: id })]);
      return context.html(page(`Book ${type.name ?? id}`, bookingForm(type, timeZone)));
    }
    const types = await client.eventTypes.list().all();
    // The service refuses bookings of an inactive event type.
    return context.html(page('Book', eventTypes(types.filter(({ active }) => active !== false))));
  });

  site.post('/book', async (context) => {
    // A body that is not a form has no fields, so the booking is refused.
    const form = await context.req.formData().catch(() => new FormData());
    const text = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    const answers = [...new Set(form.keys())].flatMap((name) => {
      const [first, ...others] = form.getAll(name).filter((value) => value !== '');
      return name.startsWith('answer.') && first !== undefined
        ? [[name.slice('answer.'.length), others.length === 0 ? first : [first, ...others]]]
        : [];
    });
    const host = await application.host();
    try {
      const booked = await host.client.bookings.create({
        event_type_id: text('event_type_id'),
        start_time: text('start_time'),
        invitee_name: text('invitee_name'),
        invitee_email: text('invitee_email'),
        ...(answers.length > 0 && { question_responses: Object.fromEntries(answers) as Record<string, unknown> }),
      });
      return context.html(page('Booked', bookings([booked], host.timeZone)), 201);
    } catch (error) {
      if (!isServiceError(error)) throw error;
      // Shows the form again with what was entered. If its event type cannot be read, there is no form.
      const type = await client.eventTypes.get({ event_type_id: text('event_type_id') }).catch(() => undefined);
      if (type === undefined) throw error;
      return context.html(
        page(`Book ${type.name ?? type.id}`, html`${sentence(error.sentence)}${bookingForm(type, host.timeZone, form)}`),
        statusOf(error.status),
      );
    }
  });

  site.post('/connect', async (context) => {
    if (await application.isConnected())
      return context.html(page('Overview', sentence('An account is connected. Disconnect it first.')), 409);
    const { url, attempt } = await oauth.begin();
    const secure = settings.siteUrl.startsWith('https:');
    setCookie(context, attemptCookie, attempt, { httpOnly: true, secure, sameSite: 'Lax', path: '/connected', maxAge: 600 });
    return context.redirect(url, 303);
  });

  site.get('/connected', async (context) => {
    const attempt = getCookie(context, attemptCookie);
    const answer = new URL(context.req.url).searchParams;
    if (await application.isConnected()) {
      if (answer.size === 0) return context.html(page('Connected', connected()));
    } else {
      const tokens = await oauth.finish(answer, attempt);
      deleteCookie(context, attemptCookie, { path: '/connected' });
      await application.connect(tokens);
    }
    // Removes the code, which can be used only once, from the address bar and the history.
    return context.redirect('/connected', 303);
  });

  site.post('/disconnect', async (context) => {
    await application.disconnect();
    return context.html(page('Disconnected', sentence('The subscription is deleted and the tokens are revoked.')));
  });

  site.notFound((context) => context.html(page('Not found', sentence('There is no such page.')), 404));
  site.onError((error, context) => failed(error, context));
  return site;
}

/** Shows an error in the package's words. Any other error goes only to the log. */
function failed(error: Error, context: Context): Response | Promise<Response> {
  if (error instanceof HTTPException) return error.getResponse();
  if (isServiceError(error)) return context.html(page('That did not work', sentence(error.sentence)), statusOf(error.status));
  console.error(error);
  return context.html(page('That did not work', sentence('An error occurred. See the log for details.')), 500);
}

/** The service's own status if it refused something. A failure of the service becomes 502, because it is not one of this application. */
const statusOf = (status: number | undefined): 400 | 401 | 403 | 404 | 429 | 502 => {
  const known = ([401, 403, 404, 429] as const).find((each) => each === status);
  return known ?? (status !== undefined && (status >= 500 || status < 400) ? 502 : 400);
};
