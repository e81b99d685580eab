import type { Sealing } from '@clientele/adapters-sqlite'
import type { LogoutDialogs } from '@clientele/domain'
import { OfferedDialog } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'

const context = 'logout dialog'

/** The dialogs of logout as sealed text: what the browser keeps for us, we need not keep. */
export const createSealedDialogs = (sealing: Sealing): LogoutDialogs => ({
  sealDialog: (dialog) => () => sealing.seal(JSON.stringify(OfferedDialog.encode(dialog)), context),
  openDialog: (value) => () =>
    pipe(
      sealing.open(value, context),
      O.flatMap((text) => O.tryCatch((): unknown => JSON.parse(text))),
      O.flatMap((json) => O.fromEither(OfferedDialog.decode(json))),
    ),
})
