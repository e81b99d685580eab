import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createHash } from 'node:crypto'
import nunjucks from 'nunjucks'
import { viewOf } from './page-view.js'
import type { PageRenderer, Service } from './page.js'
import { type Theme, type ThemeFault, type ThemeFiles, checkTheme, filesOf, readTheme, themeFault } from './theme.js'

type Rgb = readonly [number, number, number]

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]
/** The cards of style.css, on which the colour is read, and the darkest or lightest page beside them. */
const lightCard: Rgb = white
const darkCard: Rgb = [23, 27, 34]

const rgbOf = (color: string): Rgb => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb

const hex = (color: Rgb): string => `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const mixed = (one: Rgb, other: Rgb, share: number): Rgb => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
]

// WCAG 2.2: relative luminance
const linear = (part: number): number => {
  const value = Math.round(part) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(rgbOf(one)), luminance(rgbOf(other))].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const steps = Array.from({ length: 51 }, (_, step) => step / 50)

/** The colour, as much nearer to black or white as it must be to be read on the card and on its own tint. */
const readable = (color: Rgb, card: Rgb, towards: Rgb): Rgb => {
  const tint = mixed(card, color, 0.12)
  const isRead = (candidate: Rgb): boolean =>
    [card, tint].every((ground) => contrast(hex(candidate), hex(ground)) >= 4.6)
  return steps.map((share) => mixed(color, towards, share)).find(isRead) ?? towards
}

const scheme = (color: Rgb, card: Rgb, towards: Rgb): string => {
  const accent = readable(color, card, towards)
  const onAccent = contrast(hex(accent), hex(white)) >= contrast(hex(accent), hex(black)) ? white : black
  return [
    `--accent: ${hex(accent)}`,
    `--accent-strong: ${hex(mixed(accent, towards, 0.2))}`,
    `--on-accent: ${hex(onAccent)}`,
    `--tint: ${hex(mixed(card, color, 0.12))}`,
  ].join('; ')
}

/** Rules that follow a style, and replace its colours. */
export const styleOfColor = (color: string): string => {
  const rgb = rgbOf(color)
  return [
    `:root { ${scheme(rgb, lightCard, black)}; }`,
    `@media (prefers-color-scheme: dark) { :root { ${scheme(rgb, darkCard, white)}; } }`,
    '',
  ].join('\n')
}

const loaderOf = (files: ThemeFiles): nunjucks.ILoader => ({
  getSource: (name) => {
    const file = files.get(name)
    if (file === undefined) throw new Error(`there is no template ${name}`)
    return { src: file.text, path: file.path, noCache: false }
  },
})

/** The style of a page, for its template: the only text that is not escaped. CSP names it by the hash. */
export const inlineStyle = (css: string): { readonly style: unknown; readonly styleHash: string } => ({
  style: new nunjucks.runtime.SafeString(css),
  styleHash: `sha256-${createHash('sha256').update(css).digest('base64')}`,
})

const rendererOf = (environment: nunjucks.Environment, css: string, service: Service | undefined): PageRenderer => {
  // The operator controls the style as well as the templates.
  const { style, styleHash } = inlineStyle(css)
  return (page, language) => ({
    html: environment.render(`${page.kind}.njk`, { ...viewOf(page, language, service), style }),
    styleHash,
  })
}

const styleOf = (files: ThemeFiles, service: Service | undefined): string => {
  const style = files.get('style.css')?.text ?? ''
  return service?.color === undefined ? style : `${style}\n${styleOfColor(service.color)}`
}

const environmentOf = (files: ThemeFiles): nunjucks.Environment =>
  new nunjucks.Environment(loaderOf(files), {
    autoescape: true,
    throwOnUndefined: true,
    trimBlocks: true,
    lstripBlocks: true,
  })

/** Compiles all templates, so that their faults are found at start. */
const checkedRenderer =
  (service: Service | undefined) =>
  (files: ThemeFiles): E.Either<ThemeFault, PageRenderer> => {
    const environment = environmentOf(files)
    return pipe(
      [...files].filter(([name]) => name.endsWith('.njk')),
      E.traverseArray(([name, { path }]) => E.tryCatch(() => environment.getTemplate(name, true), themeFault(path))),
      E.map(() => rendererOf(environment, styleOf(files, service), service)),
    )
  }

type Look = {
  /** A theme of the operator, which is checked now. */
  readonly directory?: string | undefined
  readonly service?: Service | undefined
}

/**
 * Renders the pages with the default theme or with an operator's. Tests check the default files, which are compiled at
 * their first use, so that a start does not wait for them.
 */
export const createPageRenderer = ({ directory, service }: Look = {}): E.Either<ThemeFault, PageRenderer> => {
  const makeRenderer = checkedRenderer(service)
  const rendererFor = (theme: Theme): E.Either<ThemeFault, PageRenderer> => {
    const files = filesOf(theme)
    return theme.own.size === 0
      ? E.right(rendererOf(environmentOf(files), styleOf(files, service), service))
      : pipe(
          makeRenderer(files),
          E.flatMap((render) => checkTheme(theme, render, makeRenderer)),
        )
  }
  return pipe(readTheme(directory), E.flatMap(rendererFor))
}
