// The command mcp-remote, which ends after it has listed the tools of a server.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { EndUser } from './end-user.js'

const packageFile = createRequire(import.meta.url).resolve('mcp-remote/package.json')
const file = join(dirname(packageFile), 'dist', 'client.js')

const authorizationUrl = /visiting:\s+(\S+)/

const siteOf = (url: string): string => new URL(new URL(url).searchParams.get('redirect_uri') ?? '').origin

export type Directory = { readonly path: string; readonly remove: () => void }

export const newDirectory = (): Directory => {
  const path = mkdtempSync(join(tmpdir(), 'clientele-remote-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs it once; an end-user opens the URL that it shows, if it shows one, and goes back to it. Its output, and the pages with forms. */
export const runMcpRemote = async (
  server: URL,
  directory: Directory,
  endUserAt: (site: string) => EndUser,
): Promise<{ readonly code: number | null; readonly output: string; readonly requested: ReadonlyArray<string> }> => {
  // No program that it could start instead of the end-user's browser here is a browser.
  const env = {
    ...process.env,
    MCP_REMOTE_CONFIG_DIR: directory.path,
    BROWSER: '/bin/true',
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
  }
  const child = spawn(process.execPath, [file, server.href, '--allow-http'], { env })
  let output = ''
  let visit: ReturnType<EndUser['visit']> | undefined
  const read = (chunk: Buffer): void => {
    output += chunk.toString()
    const [, url] = authorizationUrl.exec(output) ?? []
    if (url !== undefined) visit ??= endUserAt(siteOf(url)).visit(url)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  return { code, output, requested: (await visit)?.requested ?? [] }
}
