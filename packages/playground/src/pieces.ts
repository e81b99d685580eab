/** A piece of a page as a value; text is never markup. */
export type Piece = {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Pieces
}

export type Pieces = ReadonlyArray<Piece | string>

export const element =
  (tag: string, attributes: Piece['attributes'] = {}) =>
  (...children: Pieces): Piece => ({ tag, attributes, children })

export const textOf = (piece: Piece | string): string =>
  typeof piece === 'string' ? piece : piece.children.map(textOf).join('')
