// Tokens for end-users who are signed in: a whole authorization code flow with PKCE, and the rotation of a refresh token.
import { fileURLToPath } from 'node:url'
import { newFile, runLoad } from '../machine.mjs'
import { register } from '../requests.mjs'
import { ours, peer } from '../servers.mjs'
import { signedInBrowsers } from '../sign-in.mjs'
import { seriesOf } from './on-server.mjs'

const program = fileURLToPath(new URL('../load/flows.mjs', import.meta.url))
const flows = 16

const browsers = new Map()
const browsersOf = async (server) => {
  if (!browsers.has(server)) browsers.set(server, await signedInBrowsers(server, await register(server), flows))
  return browsers.get(server)
}

const drive =
  (kind) =>
  async (server, { seconds }) => {
    const file = newFile(JSON.stringify({ ...(await browsersOf(server)), kind, seconds }))
    return JSON.parse(await runLoad([process.execPath, program, file]))
  }

const work = (name, kind) => ({
  name: `${name}, ${flows} browsers`,
  stage: 'signedIn',
  warm: true,
  series: seriesOf([ours, peer], drive(kind)),
})

export const works = [work('authorization code and token', 'code'), work('refresh token', 'refresh')]
