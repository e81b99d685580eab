// RFC 6749 §4.1.2.1: what an end-user reads whose request cannot be answered by a redirect.
import type { ErrorPage } from '@clientele/adapters-oidc-provider'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Language': 'en',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
}

/** The error as the standards name it, and what the end-user can do. */
export const plainErrorPage: ErrorPage = ({ error, description = '' }) => ({
  headers,
  text: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>You cannot sign in now</title>
  </head>
  <body>
    <main>
      <h1>You cannot sign in now</h1>
      <p>The application sent a request that cannot be answered, or it took too long. Go back to the application, and sign in again there.</p>
      <p>For its developers: <code>${escaped(error)}</code> ${escaped(description)}</p>
    </main>
  </body>
</html>
`,
})
