/** The fault of one setting. It names the place and the rule, never the value. */
export type ConfigFault = {
  readonly setting: string
  readonly source: string
  readonly rule: string
  readonly remedy: string
}

export const describeConfigFault = ({ setting, source, rule, remedy }: ConfigFault): string =>
  `${setting} (${source}) ${rule}: ${remedy}`
