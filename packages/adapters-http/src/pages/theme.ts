import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'

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
