import globalConsole from 'node:console'
import type { Engine } from './engine.js'
import type { EnginePorts, EngineSettings } from './ports.js'

/** What the engine says about its runtime and its configuration, in a few words; it is for the log. */
export type OnWarning = (warning: string) => void

const prefix = /^oidc-provider (?:NOTICE|WARNING): /

// Terminals get colours.
const plain = (text: string): string => text.replaceAll(/\u001b\[\d+(?:;\d+)*m/g, '')

type Write = (...values: ReadonlyArray<unknown>) => void

const listening =
  (write: Write, onWarning: OnWarning): Write =>
  (...values: ReadonlyArray<unknown>) => {
    const [first] = values
    const text = typeof first === 'string' ? plain(first) : ''
    if (prefix.test(text)) onWarning(text.replace(prefix, ''))
    else write(...values)
  }

/**
 * The engine writes to the console when it is loaded, and at the first use of a default; the service writes to its log
 * only. Other texts are written as before.
 */
const divertWarnings = (onWarning: OnWarning): void => {
  globalConsole.info = listening(globalConsole.info.bind(globalConsole), onWarning)
  globalConsole.warn = listening(globalConsole.warn.bind(globalConsole), onWarning)
}

/** Makes the engine of a base URL; several may run in one process. */
export type EngineMaker = (settings: EngineSettings, ports: EnginePorts) => Engine

/** Loads the engine, which a service without it never does. */
export const loadEngine = async (onWarning: OnWarning): Promise<EngineMaker> => {
  divertWarnings(onWarning)
  const { createEngine } = await import('./engine.js')
  return createEngine
}
