export const arrows: (src: string) => ReadonlyMap<string, ReadonlyMap<string, string>>
export const arrowsBack: (src: string) => ReadonlyArray<string>
