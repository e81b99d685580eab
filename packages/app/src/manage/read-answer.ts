import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { isoTime, printable } from '../text.js'

// A refusal, from the service or from the domain.
const Refused = t.intersection([
  t.type({ error_description: t.string }),
  t.partial({
    known: t.array(t.string),
    faults: t.array(t.string),
    errors: t.array(t.type({ pointer: t.string, description: t.string })),
    signs_from: t.number,
  }),
])

const listed = (title: string, values: ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  values === undefined || values.length === 0
    ? []
    : [[`${title}:`, ...values.map((value) => `  ${printable(value)}`)].join('\n')]

const faultText = ({ pointer, description }: { readonly pointer: string; readonly description: string }): string =>
  `${pointer}  ${description}`

/** A refusal in words for people, or else the other text. */
export const refusalText = (refusal: unknown, otherwise: string): string =>
  Refused.is(refusal)
    ? [
        printable(refusal.error_description),
        ...listed('There are', refusal.known),
        ...listed('Wrong in it', refusal.faults),
        ...listed('All faults', refusal.errors?.length === 1 ? [] : refusal.errors?.map(faultText)),
        ...(refusal.signs_from === undefined ? [] : [`It signs at ${isoTime(refusal.signs_from)}`]),
      ].join('\n')
    : otherwise

const otherwise = ({ status }: Response, notFound: string | undefined): string =>
  status === 404 && notFound !== undefined ? notFound : `the running service answered ${status}`

/** The decoded answer of the running service; or its refusal, or the other text for a 404. */
export const readAnswer =
  <A>(codec: t.Decoder<unknown, A>, notFound?: string) =>
  (response: Response): TE.TaskEither<string, A> =>
    pipe(
      TE.tryCatch(
        async (): Promise<unknown> => JSON.parse((await response.text()) || 'null'),
        () => `the running service answered ${response.status}, and no JSON`,
      ),
      TE.flatMapEither((body) => {
        const answer = response.ok ? codec.decode(body) : undefined
        return answer !== undefined && E.isRight(answer)
          ? answer
          : E.left(refusalText(body, otherwise(response, notFound)))
      }),
    )

/** The same, for an answer that is read while it arrives. */
export const streamOf = (response: Response): TE.TaskEither<string, Response> =>
  response.ok ? TE.right(response) : readAnswer(t.never)(response)
