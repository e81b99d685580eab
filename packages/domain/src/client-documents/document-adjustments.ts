// What is said about the values of a document that were chosen, or left out: RFC 7591 §3.2.1.
import { ownMember } from '../codec/json-object.js'
import type { Adjustment } from '../registration/adjustments.js'

/** Adjustments by id: the text follows the name of the member. */
export const documentAdjustmentTexts = {
  'document-auth-method-none':
    'is none, because it was left out, and a document can hold no client_secret: send token_endpoint_auth_method to choose',
  'document-auth-method-chosen':
    'is the best of token_endpoint_auth_methods_supported that this service supports, because it does not support the one of the document',
  'document-signing-alg-dropped': 'was left out, because the chosen token_endpoint_auth_method signs nothing',
  'document-narrowed': 'has only what the registration policy grants to clients with a document; the rest was left out',
} as const

export type DocumentAdjustmentId = keyof typeof documentAdjustmentTexts

export type DocumentAdjustment =
  Adjustment | { readonly pointer: string; readonly rule: DocumentAdjustmentId; readonly description: string }

const adjustment = (rule: DocumentAdjustmentId, member: string): DocumentAdjustment => ({
  pointer: `/${member}`,
  rule,
  description: `${member} ${documentAdjustmentTexts[rule]}`,
})

type Document = Readonly<Record<string, unknown>>

const methodOf = (document: Document): unknown => ownMember(document, 'token_endpoint_auth_method')

const ofMethod = (document: Document, chosen: Document): ReadonlyArray<DocumentAdjustment> => {
  if (methodOf(document) === methodOf(chosen)) return []
  const listed = ownMember(document, 'token_endpoint_auth_methods_supported') !== undefined
  const signing = 'token_endpoint_auth_signing_alg'
  const isDropped = ownMember(document, signing) !== undefined && ownMember(chosen, signing) === undefined
  return [
    adjustment(listed ? 'document-auth-method-chosen' : 'document-auth-method-none', 'token_endpoint_auth_method'),
    ...(isDropped ? [adjustment('document-signing-alg-dropped', signing)] : []),
  ]
}

/** Of a document, of the same one with its method chosen, and of the members that lost values. */
export const documentAdjustments = (
  document: Document,
  chosen: Document,
  narrowed: ReadonlyArray<string>,
): ReadonlyArray<DocumentAdjustment> => [
  ...ofMethod(document, chosen),
  ...narrowed.map((member) => adjustment('document-narrowed', member)),
]
