import { ar } from './ar.js'
import { de } from './de.js'
import { en } from './en.js'
import { es } from './es.js'
import { fr } from './fr.js'
import { ja } from './ja.js'
import type { Messages } from './messages.js'

/** RFC 5646 primary subtags; the first one is the default. */
export const languages = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const

export type Language = (typeof languages)[number]

export const messagesIn: Readonly<Record<Language, Messages>> = { en, de, fr, es, ja, ar }
