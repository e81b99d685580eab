/** The given ports in place of all that an operation may ask for: it fails when it calls another one. */
export const only = <Ports extends object>(given: NoInfer<Partial<Ports>>): Ports => given as Ports
