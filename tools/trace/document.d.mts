import type { Walk } from './walk.mjs'

export declare const documentOf: (text: string, walk: Walk) => string
export declare const withoutText: (text: string) => ReadonlyArray<string>
