// The fake model's chat template, and what a prompt made with it (or with anything) asks for.

export type ChatMessage = { role: string; content: string };

/** ChatML, with no system message of its own. */
export function renderChatml(messages: ChatMessage[], opts: { generation: 'none' | 'assistant' }): string {
  const turns = messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('');
  return turns + (opts.generation === 'assistant' ? '<|im_start|>assistant\n' : '');
}

/** The turn a prompt leaves open, and the last question and answer before it. */
export type OpenTurn = { open: 'assistant' | 'user' | 'other'; question: string; answer: string };

export function openTurn(prompt: string): OpenTurn {
  const turns = prompt.split('<|im_start|>').slice(1).map(turnOf);
  const last = turns.pop();
  const said = (role: string) => turns.findLast((turn) => turn.role === role)?.content ?? '';
  const open = last?.closed === false && (last.role === 'assistant' || last.role === 'user') ? last.role : 'other';
  return { open, question: open === 'other' ? prompt : said('user'), answer: said('assistant') };
}

function turnOf(text: string): ChatMessage & { closed: boolean } {
  const header = text.indexOf('\n');
  const end = text.indexOf('<|im_end|>');
  const content = text.slice(header + 1, end < 0 ? undefined : end);
  return { role: header < 0 ? '' : text.slice(0, header), content, closed: end >= 0 };
}
