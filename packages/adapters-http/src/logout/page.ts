// What the pages of the logout endpoint, and those for browsers elsewhere, show: finished values, without logic or markup.
import type { NoWayBack } from '@clientele/domain'

/** An application as people are told of it: its name, if it has one, is never shown without its host. */
export type ShownApplication = { readonly name: string | undefined; readonly host: string }

/** What the form of a page sends back. */
export type ShownForm = { readonly action: string; readonly value: string }

/** The way back is a URI with its state, made of a registered one. */
export type ShownWayBack = { readonly application: ShownApplication; readonly uri: string }

export type LogoutPage =
  /** Sign out, or stay? `back` is where both answers lead; `notice` why there is no such place although one was asked for. */
  | {
      readonly kind: 'dialog'
      readonly form: ShownForm
      readonly back: ShownApplication | undefined
      readonly notice: NoWayBack | undefined
      /** Those that are signed out as well, and how many more there are than are named. */
      readonly applications: ReadonlyArray<ShownApplication>
      readonly more: number
    }
  /** Nobody is signed in; `form` with `back` leads back to the application. */
  | {
      readonly kind: 'nobody'
      readonly form: ShownForm | undefined
      readonly back: ShownApplication | undefined
      readonly notice: NoWayBack | undefined
    }
  /** Front-Channel Logout §3: frames are the URIs that the browser loads; `applications` are those that are told. */
  | {
      readonly kind: 'signed_out'
      readonly applications: ReadonlyArray<ShownApplication>
      readonly more: number
      readonly frames: ReadonlyArray<string>
      /** Only where there are frames, because otherwise the browser is led back at once. */
      readonly back: ShownWayBack | undefined
    }
  | { readonly kind: 'still_signed_in' }
  /** The dialog was answered before, has expired, or belongs to another browser: nothing happened. */
  | { readonly kind: 'gone' }
  /** The store cannot answer now: nothing happened. */
  | { readonly kind: 'unavailable' }
  /** At the base URL: what this is, and where to go on. */
  | {
      readonly kind: 'home'
      readonly issuer: string
      readonly metadata: string
      readonly keySet: string
      readonly playground: string | undefined
    }
  /** There is nothing at this address. */
  | { readonly kind: 'not_found' }
