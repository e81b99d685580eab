// The summary of a trace: the numbers of functions, files and steps from file to file, and the files on the way.

const fileOf = (place) => place.split(':')[0]
const nameOf = (place) => place.split(':')[3]
const folderOf = (file) => file.slice(0, file.lastIndexOf('/'))

/** `places` are functions as `file:line:column:name`, in the order of their calls. */
export const walkOf = (places) => {
  const steps = places.map((place) => ({ file: fileOf(place), name: nameOf(place) }))
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
