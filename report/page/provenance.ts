// What somebody needs to make the same run again, or to see that they did not.
import type { Provenance, Summary } from '../../domain/summary.ts';
import { costText, judgingText } from '../cost.ts';
import { grouped } from '../numbers.ts';
import { words } from './labels.ts';
import { type Markup, markup, type Piece } from './markup.ts';

export function provenanceSection(summary: Summary): Markup {
  const { provenance, totals } = summary;
  const [judging, cost] = [judgingText(summary), costText(summary)];
  return markup`<section id="provenance" aria-labelledby="provenance-title">
<h2 id="provenance-title">How it was made</h2>
<div class="scroll"><table class="provenance">
<tbody>
${row('Run', code(provenance.run))}
${row('Plan', code(provenance.plan))}
${provenance.models.map((model) => row('Model', modelOf(model)))}
${provenance.data.map((data) => row('Data', dataOf(data)))}
${row('Judge', provenance.judge)}
${row(
  'Sampling',
  Object.entries(provenance.sampling).map(([name, value], at) => [at === 0 ? '' : ', ', `${words(name)} ${value}`]),
)}
${provenance.system === undefined ? null : row('System message', [provenance.system === '' ? 'empty' : code(provenance.system), ', where a conversation has none of its own'])}
${row('Token limits', `answer ${grouped(provenance.max_tokens.assistant)}, user turn ${grouped(provenance.max_tokens.user)}`)}
${row('Tokens used', `${grouped(totals.prompt_tokens)} in prompts, ${grouped(totals.completion_tokens)} generated`)}
${judging === null ? null : row('Judging took', judging)}
${cost === null ? null : row('Cost', cost)}
${row('Seed', provenance.seed)}
${row('Made with', `uturn ${provenance.uturn}`)}
</tbody>
</table></div>
<p class="note">The plan’s name is a hash of everything that decides a sample: weights, templates, data, sampling. Equal plans ask for the same measurement.</p>
</section>`;
}

function modelOf({ id, weights, address, engine, template, reasoning }: Provenance['models'][number]): Piece {
  return [
    markup`<b><bdi>${id}</bdi></b>, ${engine}`,
    weights === null ? null : markup`<br>weights ${code(weights)}`,
    address === null ? null : markup`<br>served at ${code(address)}`,
    markup`<br>chat template ${code(template)}`,
    reasoning === undefined ? null : markup`<br>${anew[reasoning]}`,
  ];
}

const anew = {
  strip: 'ablation: the answer was rendered anew without its reasoning before the user went on',
  template: 'ablation: the answer was rendered anew by the chat template before the user went on',
};

function dataOf({ id, adapter, file, items, count, limit }: Provenance['data'][number]): Piece {
  const taken =
    limit === null || limit >= count
      ? `all ${grouped(count)} items`
      : `the first ${grouped(limit)} of ${grouped(count)} items`;
  return [markup`<b><bdi>${id}</bdi></b>, ${taken}, read as ${adapter}<br>file ${code(file)}<br>items ${code(items)}`];
}

function row(name: string, value: Piece): Markup {
  return markup`<tr><th scope="row">${name}</th><td>${value}</td></tr>`;
}

function code(text: string): Markup {
  return markup`<code>${text}</code>`;
}
