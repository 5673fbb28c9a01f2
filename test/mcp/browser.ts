/** A person at a browser: opens the consent page, answers it, and is sent on to whoever asked. */
export async function agree(address: string, decision: 'approve' | 'deny' = 'approve'): Promise<void> {
  const shown = await fetch(address);
  const cookie = (shown.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const consent = /name="consent" value="([^"]+)"/.exec(await shown.text())?.[1] ?? '';
  const answered = await fetch(new URL('/oauth/authorize', address), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
    body: new URLSearchParams({ consent, decision }).toString(),
  });
  await fetch(answered.headers.get('location') ?? '');
}
