// Our own rules for oxlint: the import walls, and the one race that reads like arithmetic.
import { relative, sep } from 'node:path';
import type { RuleTester } from 'oxlint/plugins-dev';
import { type Import, wallProblem } from './walls.ts';

// oxlint exports no name for these types, but its rule tester takes them.
type Rule = Exclude<Parameters<RuleTester['run']>[1], { createOnce: unknown }>;
type Visitor = ReturnType<Rule['create']>;
type Place = Parameters<NonNullable<Visitor['Literal']>>[0];
type Await = Parameters<NonNullable<Visitor['AwaitExpression']>>[0];
type Assignment = Parameters<NonNullable<Visitor['AssignmentExpression']>>[0];

/** Holds every import to `walls.ts`. */
const importWalls: Rule = {
  create(context) {
    const file = relative(context.cwd, context.filename).split(sep).join('/');
    const check = (node: Place, { specifier, kind }: Import) => {
      const message = wallProblem(file, { specifier, kind });
      if (message !== null) context.report({ node, message });
    };
    return {
      ImportDeclaration: (node) =>
        check(node.source, { specifier: node.source.value, kind: node.importKind ?? 'value' }),
      ExportAllDeclaration: (node) =>
        check(node.source, { specifier: node.source.value, kind: node.exportKind ?? 'value' }),
      ExportNamedDeclaration: ({ source, exportKind }) => {
        if (source !== null) check(source, { specifier: source.value, kind: exportKind ?? 'value' });
      },
      ImportExpression: ({ source }) => {
        if (source.type === 'Literal' && typeof source.value === 'string') {
          check(source, { specifier: source.value, kind: 'value' });
        }
      },
      TSImportType: ({ source }) => check(source, { specifier: source.value, kind: 'type' }),
    };
  },
};

/**
 * `total += await count()` reads total, waits, then writes what it read plus the count: whatever others added while it
 * waited is lost. The same holds for `total = total + await count()` and `rows = [...rows, await next()]`.
 */
const noAwaitInUpdate: Rule = {
  create(context) {
    return {
      AwaitExpression(awaited) {
        const update = enclosingAssignment(awaited);
        if (update === null || awaited.start < update.right.start) return;
        const target = context.sourceCode.getText(update.left);
        const before = context.sourceCode.text.slice(update.right.start, awaited.start);
        const reads = update.operator === '=' ? mentions(before, target) : arithmetic.test(update.operator);
        if (!reads) return;
        const message = `${target} is read before this await and written after it: what others added meanwhile is lost. Await into a constant first.`;
        context.report({ node: update, message });
      },
    };
  },
};

const arithmetic = /^(?:\+|-|\*|\/|%|\*\*|<<|>>|>>>|&|\||\^)=$/;

function enclosingAssignment(node: Await): Assignment | null {
  for (let at: Await['parent'] | null = node.parent; at !== null; at = at.parent) {
    if (at.type === 'AssignmentExpression') return at;
    if (at.type === 'ArrowFunctionExpression' || at.type === 'FunctionExpression') return null;
    if (at.type.endsWith('Statement') || at.type === 'VariableDeclaration') return null;
  }
  return null;
}

/** Whether the code reads `target` itself, not a property of the same name; `...target` reads it. */
function mentions(code: string, target: string): boolean {
  const name = target.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name}(?![\\w$])`).test(code);
}

export default {
  meta: { name: 'uturn' },
  rules: { 'import-walls': importWalls, 'no-await-in-update': noAwaitInUpdate },
};
