export declare const instrument: (file: string, text: string) => string
