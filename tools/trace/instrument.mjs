// Adds a first statement to every function of a source, which reports the function.
import ts from 'typescript'

const factory = ts.factory

const hasBody = (node) => ts.isFunctionLike(node) && 'body' in node && node.body !== undefined

/** The name of the nearest declaration around a function; a function that is passed as an argument has no name. */
const nameOf = (node) => {
  if (node === undefined || ts.isSourceFile(node)) return ''
  const isNamed = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)
  return isNamed && ts.isIdentifier(node.name) ? node.name.text : nameOf(node.parent)
}

/** `globalThis.entered?.("file:line:column:name")` */
const reporting = (place) =>
  factory.createCallChain(
    factory.createPropertyAccessExpression(factory.createIdentifier('globalThis'), 'entered'),
    factory.createToken(ts.SyntaxKind.QuestionDotToken),
    undefined,
    [factory.createStringLiteral(place)],
  )

const withFirst = (body, call) =>
  ts.isBlock(body)
    ? factory.updateBlock(body, [factory.createExpressionStatement(call), ...body.statements])
    : factory.createParenthesizedExpression(factory.createComma(call, body))

const withBody = (node, body) => {
  if (ts.isArrowFunction(node)) {
    const { modifiers, typeParameters, parameters, type, equalsGreaterThanToken } = node
    return factory.updateArrowFunction(node, modifiers, typeParameters, parameters, type, equalsGreaterThanToken, body)
  }
  if (ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node)) {
    const { modifiers, asteriskToken, name, typeParameters, parameters, type } = node
    const update = ts.isFunctionDeclaration(node) ? factory.updateFunctionDeclaration : factory.updateFunctionExpression
    return update(node, modifiers, asteriskToken, name, typeParameters, parameters, type, body)
  }
  if (ts.isMethodDeclaration(node)) {
    const { modifiers, asteriskToken, name, questionToken, typeParameters, parameters, type } = node
    const parts = [modifiers, asteriskToken, name, questionToken, typeParameters, parameters, type]
    return factory.updateMethodDeclaration(node, ...parts, body)
  }
  return node
}

const transformer = (file) => (context) => (source) => {
  const visit = (node) => {
    if (!hasBody(node)) return ts.visitEachChild(node, visit, context)
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source))
    const place = `${file}:${line + 1}:${character + 1}:${nameOf(node)}`
    const visited = ts.visitEachChild(node, visit, context)
    return withBody(visited, withFirst(visited.body, reporting(place)))
  }
  return ts.visitNode(source, visit)
}

/** The JavaScript of a TypeScript source that calls `globalThis.entered`, if defined, at the start of each function. */
export const instrument = (file, text) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
  const { transformed } = ts.transform(source, [transformer(file)])
  return ts.transpileModule(ts.createPrinter().printFile(transformed[0]), {
    fileName: file,
    compilerOptions: { target: 'ES2022', module: 'ESNext', verbatimModuleSyntax: true },
  }).outputText
}
