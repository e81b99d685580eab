import { ar } from './ar.js'
import { de } from './de.js'
import { en } from './en.js'
import { es } from './es.js'
import { fr } from './fr.js'
import { ja } from './ja.js'
import type { Messages } from './messages.js'
import { ar as signInAr } from './sign-in/ar.js'
import { de as signInDe } from './sign-in/de.js'
import { en as signInEn } from './sign-in/en.js'
import { es as signInEs } from './sign-in/es.js'
import { fr as signInFr } from './sign-in/fr.js'
import { ja as signInJa } from './sign-in/ja.js'
import type { SignInMessages } from './sign-in/sign-in-messages.js'

/** RFC 5646 primary subtags; the first one is the default. */
export const languages = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const

export type Language = (typeof languages)[number]

export type AllMessages = Messages & SignInMessages

export const messagesIn: Readonly<Record<Language, AllMessages>> = {
  en: { ...en, ...signInEn },
  de: { ...de, ...signInDe },
  fr: { ...fr, ...signInFr },
  es: { ...es, ...signInEs },
  ja: { ...ja, ...signInJa },
  ar: { ...ar, ...signInAr },
}
