import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import nunjucks from 'nunjucks'
import { checkTheme, themeFault } from './check-theme.js'
import { viewOf } from './page-view.js'
import type { PageRenderer, Service } from './page.js'
import { styleOfColor } from './service-colors.js'
import { type Theme, type ThemeFault, type ThemeFiles, filesOf, readTheme } from './theme.js'

export type { PageRenderer } from './page.js'

const loaderOf = (files: ThemeFiles): nunjucks.ILoader => ({
  getSource: (name) => {
    const file = files.get(name)
    if (file === undefined) throw new Error(`there is no template ${name}`)
    return { src: file.text, path: file.path, noCache: false }
  },
})

const rendererOf = (environment: nunjucks.Environment, css: string, service: Service | undefined): PageRenderer => {
  // The operator controls the style as well as the templates; it is the only text that is not escaped.
  const style = new nunjucks.runtime.SafeString(css)
  const styleHash = `sha256-${createHash('sha256').update(css).digest('base64')}`
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

export type Look = {
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
