type Step = { readonly file: string; readonly name: string }

export type Walk = {
  readonly functions: number
  readonly files: number
  readonly hops: number
  readonly steps: ReadonlyArray<Step>
  readonly entriesOf: (file: string) => number
  readonly spine: ReadonlyArray<Step>
}

export declare const walkOf: (places: ReadonlyArray<string>) => Walk
