// Checks a theme at start, with pages of every kind in every language.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { languages } from './messages/languages.js'
import type { PageRenderer } from './page.js'
import { type SamplePage, samplePages } from './sample-pages.js'

/** The fault of a file of a theme, or of its folder. */
export type ThemeFault = { readonly file: string; readonly description: string }

/** The templates and `style.css`, by name. */
export type ThemeFiles = ReadonlyMap<string, { readonly path: string; readonly text: string }>

/** The default files, and the operator's files that replace them. */
export type Theme = { readonly ours: ThemeFiles; readonly own: ThemeFiles }

// The path is the same from sources and from compiled files.
const ourDirectory = fileURLToPath(new URL('../../theme', import.meta.url))

// HTML §13.2.3.5: browsers normalize line ends, and hash the normalized style.
const asBrowsersRead = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')

const read = <A>(file: string, reading: () => A): E.Either<ThemeFault, A> =>
  E.tryCatch(reading, (error) => ({
    file,
    description: `cannot be read: ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'}`,
  }))

const readFolder = (directory: string): E.Either<ThemeFault, ThemeFiles> =>
  pipe(
    read(directory, () => readdirSync(directory)),
    E.map((names) => names.filter((name) => name.endsWith('.njk') || name.endsWith('.css')).sort()),
    E.flatMap(
      E.traverseArray((name) => {
        const path = join(directory, name)
        return pipe(
          read(path, () => asBrowsersRead(readFileSync(path, 'utf8'))),
          E.map((text) => [name, { path, text }] as const),
        )
      }),
    ),
    E.map((files) => new Map(files)),
  )

export const readTheme = (directory: string | undefined): E.Either<ThemeFault, Theme> =>
  pipe(
    E.Do,
    E.apS('ours', readFolder(ourDirectory)),
    E.apS('own', directory === undefined ? E.right<ThemeFault, ThemeFiles>(new Map()) : readFolder(directory)),
  )

/** The files in use: the operator's where there is one. */
export const filesOf = ({ ours, own }: Theme): ThemeFiles => new Map([...ours, ...own])

type MakeRenderer = (files: ThemeFiles) => E.Either<ThemeFault, PageRenderer>

/** The last line of a nunjucks error is the cause; its path is that of the page, whichever file is at fault. */
const cause = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  const [, line, column, reason = message] = /(?:\[Line (\d+), Column (\d+)\])?\n\s*([^\n]*)$/.exec(message) ?? []
  return line === undefined ? reason : `line ${line}, column ${column ?? '1'}: ${reason}`
}

export const themeFault =
  (file: string) =>
  (error: unknown): ThemeFault => ({ file, description: `does not work: ${cause(error)}` })

/** The fault of a page as this renderer makes it. */
const troubleWith = (render: PageRenderer, { page, holds }: SamplePage): string | undefined => {
  const rendered = languages.map((language) => E.tryCatch(() => render(page, language).html, cause))
  const failed = rendered.find(E.isLeft)
  if (failed !== undefined) return `does not work: ${failed.left}`
  const lacks = holds.find((text) => rendered.some((html) => E.isRight(html) && !html.right.includes(text)))
  if (lacks !== undefined) return `makes a page without ${lacks}`
  const isRaw = rendered.some((html) => E.isRight(html) && html.right.includes('<b>'))
  return isRaw ? 'shows the names of applications unescaped' : undefined
}

/** The file without which the page has no fault; otherwise the template of the page. */
const culprit = (theme: Theme, sample: SamplePage, makeRenderer: MakeRenderer): string => {
  const isWellWithout = (name: string): boolean => {
    const rest = new Map([...theme.own].filter(([other]) => other !== name))
    const renderer = makeRenderer(filesOf({ ...theme, own: rest }))
    return E.isRight(renderer) && troubleWith(renderer.right, sample) === undefined
  }
  const name = [...theme.own.keys()].find(isWellWithout) ?? `${sample.page.kind}.njk`
  return filesOf(theme).get(name)?.path ?? name
}

const brokenPage = (theme: Theme, render: PageRenderer, makeRenderer: MakeRenderer): ThemeFault | undefined => {
  const found = samplePages
    .map((sample) => ({ sample, description: troubleWith(render, sample) }))
    .find(({ description }) => description !== undefined)
  return found?.description === undefined
    ? undefined
    : { file: culprit(theme, found.sample, makeRenderer), description: found.description }
}

const endOfStyle = ({ own }: Theme): ThemeFault | undefined => {
  const style = own.get('style.css')
  return style !== undefined && /<\/style/i.test(style.text)
    ? { file: style.path, description: 'ends the element that it stands in, with </style' }
    : undefined
}

const notInUse = ({ ours, own }: Theme): ThemeFault | undefined => {
  const texts = [...ours.values(), ...own.values()].map(({ text }) => text)
  const unused = [...own].find(([name]) => !ours.has(name) && !texts.some((text) => text.includes(name)))
  return unused === undefined
    ? undefined
    : { file: unused[1].path, description: `is not in use; there are ${[...ours.keys()].join(', ')}` }
}

/** The fault of a theme whose templates compile. */
export const checkTheme = (
  theme: Theme,
  render: PageRenderer,
  makeRenderer: MakeRenderer,
): E.Either<ThemeFault, PageRenderer> => {
  const fault = brokenPage(theme, render, makeRenderer) ?? endOfStyle(theme) ?? notInUse(theme)
  return fault === undefined ? E.right(render) : E.left(fault)
}
