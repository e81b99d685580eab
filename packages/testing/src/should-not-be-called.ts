/** For a port that the path under test must leave alone. */
export const shouldNotBeCalled = (): never => {
  throw new Error('this port must not be used here')
}
