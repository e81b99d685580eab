// Records of clients, as clientele clients export writes them.
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'

const record = (number) => ({
  clientele_client: 1,
  client_id: `client-${number}`,
  client_id_issued_at: 1_700_000_000 + number,
  client_secret: `secret-of-client-${number}-${'x'.repeat(24)}`,
  client_secret_expires_at: 0,
  registration_access_token: `token-of-client-${number}-${'x'.repeat(24)}`,
  metadata: {
    redirect_uris: [`https://app-${number}.example.com/callback`],
    post_logout_redirect_uris: [`https://app-${number}.example.com/`],
    client_name: `Application ${number}`,
    contacts: ['operations@example.com'],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid profile email',
  },
})

/** Writes so many records to the file. */
export const writeRecords = async (file, count) => {
  const out = createWriteStream(file)
  for (let number = 0; number < count; number += 1)
    if (!out.write(`${JSON.stringify(record(number))}\n`)) await once(out, 'drain')
  out.end()
  await once(out, 'finish')
}
