/** A page that runs the domain in the browser; here is what it is made of, and where it stands when it is built. */
export { view, type View } from './view.js'
export { type State } from './state.js'

/** The page as one file, which packages/playground/build.mjs makes. */
export const pageFile = new URL('../dist/index.html', import.meta.url)
