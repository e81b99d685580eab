export type Half = 'even' | 'odd'

/** Half of the tests, so that two files share the time that one server needs for all. */
export const halfOf = <Test>(half: Half, tests: ReadonlyArray<Test>): ReadonlyArray<Test> =>
  tests.filter((_, index) => index % 2 === (half === 'even' ? 0 : 1))
