/** Callers of one key at the same time share one result. */
export const createSingleFlight = <Value>(): ((key: string, work: () => Promise<Value>) => Promise<Value>) => {
  const flights = new Map<string, Promise<Value>>()
  return (key, work) => {
    const known = flights.get(key)
    if (known !== undefined) return known
    const flight = work().finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }
}
