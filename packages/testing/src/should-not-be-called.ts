/** For a port that the tested path must not call. */
export const shouldNotBeCalled = (): never => {
  throw new Error('this port must not be used here')
}
