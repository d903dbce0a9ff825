// The transpiler of guest code: sucrase's transform, and the imports of what comes out of it.
import {transform} from 'sucrase';
import {parse} from 'sucrase/dist/esm/parser';
import {TokenType as tt} from 'sucrase/dist/esm/parser/tokenizer/types';
import {ContextualKeyword as ck} from 'sucrase/dist/esm/parser/tokenizer/keywords';

const lineOf = (code, at) => {
  let line = 1;
  for (let i = code.indexOf('\n'); i !== -1 && i < at; i = code.indexOf('\n', i + 1)) line++;
  return line;
};

// sucrase drops the bodies of namespaces without a word.
const refuseNamespaces = (source, jsx) => {
  const {tokens} = parse(source, jsx, true, false);
  tokens.forEach((token, i) => {
    const keyword = token.contextualKeyword;
    const word = source.slice(token.start, token.end);
    if ((keyword === ck._namespace || keyword === ck._module || word === 'namespace' || word === 'module')
        && token.type === tt.name
        && tokens[i + 1] && tokens[i + 1].type === tt.name
        && !(i > 0 && source.slice(tokens[i - 1].start, tokens[i - 1].end) === 'declare')) {
      let next = i + 2;
      while (tokens[next] && tokens[next].type === tt.dot) next += 2;
      if (tokens[next] && tokens[next].type === tt.braceL) {
        throw new SyntaxError('namespaces are not supported (line ' + lineOf(source, token.start)
            + '): use a module in place of it');
      }
    }
  });
};

const text = (code, token) => (0, eval)('(' + code.slice(token.start, token.end) + ')');

const importsOf = (code) => {
  const {tokens} = parse(code, false, false, false);
  const imports = [];
  const dynamic = [];
  tokens.forEach((token, i) => {
    const next = tokens[i + 1];
    if (token.type === tt._import && next && next.type === tt.parenL) {
      const argument = tokens[i + 2];
      dynamic.push({
        line: lineOf(code, token.start),
        specifier: argument && argument.type === tt.string ? text(code, argument) : '(an expression)',
      });
    } else if (token.type === tt._import && next && next.type === tt.string) {
      imports.push({specifier: text(code, next), line: lineOf(code, token.start)});
    } else if (token.type === tt.name && code.slice(token.start, token.end) === 'from'
        && next && next.type === tt.string && statementBefore(tokens, i)) {
      imports.push({specifier: text(code, next), line: lineOf(code, next.start)});
    }
  });
  return {imports, dynamic};
};

// Whether the words before 'from' are those of an import or export: names, braces, commas, stars.
const statementBefore = (tokens, at) => {
  for (let i = at - 1; i >= 0; i--) {
    const type = tokens[i].type;
    if (type === tt._import || type === tt._export) return true;
    if (![tt.name, tt.braceL, tt.braceR, tt.comma, tt.star, tt.string, tt._as, tt._default].includes(type)
        && !(type & 16)) return false;
  }
  return false;
};

globalThis.__transpile = (request) => {
  const {path, source, typescript, jsx} = JSON.parse(request);
  try {
    const transforms = [];
    if (typescript) {
      refuseNamespaces(source, jsx);
      transforms.push('typescript');
    }
    if (jsx) transforms.push('jsx');
    const code = transforms.length === 0 ? source : transform(source, {
      transforms,
      filePath: path,
      production: true,
      disableESTransforms: true,
      jsxRuntime: 'classic',
      jsxPragma: 'h',
      jsxFragmentPragma: 'Fragment',
    }).code;
    return JSON.stringify({code, ...importsOf(code)});
  } catch (error) {
    return JSON.stringify({error: String((error && error.message) || error).slice(0, 2000)});
  }
};
