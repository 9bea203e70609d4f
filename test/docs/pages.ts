// The project's pages as tests read them: Markdown cut into what can be checked.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** `path` is from the project's root. */
export type Page = { path: string; text: string };

/** A fenced block, with the line it begins on. */
export type Block = { page: string; line: number; language: string; text: string };

export const pages: Page[] = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

export function page(path: string): Page {
  const found = pages.find((one) => one.path === path);
  if (found === undefined) throw new Error(`there is no page ${path}`);
  return found;
}

export function blocks({ path, text }: Page): Block[] {
  const found: Block[] = [];
  for (const match of text.matchAll(/^(`{3,})(\w*)[^\n]*\n([\s\S]*?)^\1\s*$/gm)) {
    const line = text.slice(0, match.index).split('\n').length;
    found.push({ page: path, line, language: match[2] ?? '', text: match[3] ?? '' });
  }
  return found;
}

/** The page without its fenced blocks. */
export function prose({ text }: Page): string {
  return text.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1\s*$/gm, '');
}

/** What stands between backticks outside of blocks. */
export function spans(of: Page): string[] {
  return [...prose(of).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
}

/** Rows of all tables whose header begins with this word, as cells without their outer spaces. */
export function tableRows({ text }: Page, header: string): string[][] {
  const rows: string[][] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) inside = false;
    else if (line.startsWith(`| ${header} |`)) inside = true;
    else if (inside && !/^\|[-| :]+\|$/.test(line)) rows.push(cells(line));
  }
  return rows;
}

function cells(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
