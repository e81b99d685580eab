import globalConsole from 'node:console'
import type { Engine, EnginePorts, EngineSettings } from './ports.js'

/** What the engine says about its runtime and its configuration, in a few words; it is for the log. */
export type OnWarning = (warning: string) => void

const prefix = /^oidc-provider (?:NOTICE|WARNING): /

type Write = (...values: ReadonlyArray<unknown>) => void

const listening =
  (write: Write, onWarning: OnWarning): Write =>
  (...values: ReadonlyArray<unknown>) => {
    const [first] = values
    // Terminals get colours.
    const text = typeof first === 'string' ? first.replaceAll(/\u001b\[\d+(?:;\d+)*m/g, '') : ''
    if (prefix.test(text)) onWarning(text.replace(prefix, ''))
    else write(...values)
  }

/** Makes the engine of a base URL; several may run in one process. */
export type EngineMaker = (settings: EngineSettings, ports: EnginePorts) => Engine

type Loaded = { readonly create: EngineMaker; readonly warnings: ReadonlyArray<string> }

// The engine writes to the console while it is loaded; other texts are written as before. Its configuration leaves no default,
// of which it would write later.
const load = async (): Promise<Loaded> => {
  const host: { info: Write; warn: Write } = globalConsole
  const { info, warn } = host
  const warnings: Array<string> = []
  const listen = (write: Write): Write => listening(write.bind(globalConsole), (warning) => void warnings.push(warning))
  Object.assign(host, { info: listen(info), warn: listen(warn) })
  try {
    const { createEngine } = await import('./engine.js')
    return { create: createEngine, warnings }
  } finally {
    Object.assign(host, { info, warn })
  }
}

let loading: Promise<Loaded> | undefined

/** Loads the engine, which a service without it never does; once, so that the console is that of the host again. */
export const loadEngine = async (onWarning: OnWarning): Promise<EngineMaker> => {
  const { create, warnings } = await (loading ??= load())
  warnings.forEach((warning) => onWarning(warning))
  return create
}
