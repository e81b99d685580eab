/** The playground: a page that runs the domain in the browser. It stands in one file, which build.mjs makes. */
export const pageFile = new URL('../dist/index.html', import.meta.url)

export { withSettings, type ServedSettings } from './served-settings.js'

/** The Content-Security-Policy that the page states of itself. */
export const policyIn = (page: string): string =>
  /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "default-src 'none'"
