/** The playground: a page that runs the domain in the browser. build.mjs makes it as one file. */
export const pageFile = new URL('../dist/index.html', import.meta.url)

export { withSettings, type ServedSettings } from './served-settings.js'

/** The Content-Security-Policy in a meta element of the page. */
export const policyIn = (page: string): string =>
  /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "default-src 'none'"
