import type { PublishedDocument } from '../settings.js'
import { type PublishedHandler, publishing, tagged } from './published-response.js'

/** A static document; a browser that stored it revalidates it each time. */
export const getDocument = ({ text, headers }: PublishedDocument): PublishedHandler =>
  publishing(tagged(text), 0, headers)
