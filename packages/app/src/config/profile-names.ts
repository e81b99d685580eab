/** The profiles, by name; profiles.ts says what each sets. */
export const profileNames = ['mcp', 'matrix', 'mail', 'openbanking-br', 'strict'] as const

export type ProfileName = (typeof profileNames)[number]
