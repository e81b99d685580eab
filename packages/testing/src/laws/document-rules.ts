import type { ClientIdUrl } from '@clientele/domain/client'
import type { Fault } from '@clientele/domain/kernel'
import type { DocumentPolicy } from '@clientele/domain/policy'
import {
  type ApprovedDocument,
  type DecidedDocument,
  type DocumentSettings,
  type SeenDocument,
  decideDocument,
  freshnessOf,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { type Law, lawsAbout } from './law.js'

type Decision = E.Either<ReadonlyArray<Fault>, DecidedDocument>

/** The functions that the laws of Client ID Metadata Documents are about. */
export type DocumentRules = {
  readonly decideDocument: (
    settings: DocumentSettings,
  ) => (url: ClientIdUrl, seen: SeenDocument, approved?: ApprovedDocument) => Decision
  readonly freshnessOf: (
    policy: Pick<DocumentPolicy, 'least_freshness' | 'greatest_freshness'>,
    cache: unknown,
  ) => number
}

/** The domain's own rules. */
export const documentRules: DocumentRules = { decideDocument, freshnessOf }

export type DocumentLaw = Law<DocumentRules>

export const documentLaw = lawsAbout(documentRules)

/** The document that was decided on; an error if it was refused. */
export const accepted = (decision: Decision): DecidedDocument => {
  if (E.isLeft(decision)) throw new Error(JSON.stringify(decision.left))
  return decision.right
}
