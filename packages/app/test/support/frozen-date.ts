// The clock of this process is stopped until the test sets it, for every library that reads Date.
export type FrozenDate = {
  readonly pass: (seconds: number) => void
  readonly restore: () => void
}

export const freezeDate = (): FrozenDate => {
  const Running = globalThis.Date
  let now = Running.now()
  globalThis.Date = new Proxy(Running, {
    construct: (_target, given: ReadonlyArray<unknown>) =>
      Object(Reflect.construct(Running, given.length === 0 ? [now] : given)),
    get: (target, name): unknown => (name === 'now' ? () => now : Reflect.get(target, name)),
  })
  return {
    pass: (seconds) => {
      now += seconds * 1000
    },
    restore: () => {
      globalThis.Date = Running
    },
  }
}
