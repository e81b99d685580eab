// The summary of a trace: the numbers of functions, files and steps from file to file, and the files on the way.

/** The order of the rules of client metadata is not significant: they count as one room with one door. */
const rules = {
  door: 'packages/domain/src/client/validate-client-metadata.ts',
  files: /^packages\/domain\/src\/(client|codec|policy)\//,
}

const fileOf = (place) => place.split(':')[0]
const nameOf = (place) => place.split(':')[3]
const roomOf = (file) => (rules.files.test(file) ? rules.door : file)
const folderOf = (file) => file.slice(0, file.lastIndexOf('/'))

/** `places` are functions as `file:line:column:name`, in the order of their calls. */
export const walkOf = (places) => {
  const steps = places.map((place) => ({ file: roomOf(fileOf(place)), name: nameOf(place) }))
  const hops = steps.filter(({ file }, at) => file !== steps[at - 1]?.file)
  const fromOutside = hops.filter(({ file }, at) => at === 0 || folderOf(file) !== folderOf(hops[at - 1].file))
  return {
    functions: new Set(places).size,
    files: new Set(steps.map(({ file }) => file)).size,
    hops: hops.length,
    steps: hops,
    entriesOf: (file) => hops.filter((hop) => hop.file === file).length,
    /** The files that are entered from another folder, in the order of their first entry. */
    spine: fromOutside.filter(({ file }, at) => fromOutside.findIndex((each) => each.file === file) === at),
  }
}
