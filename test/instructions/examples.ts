// One instruction of each kind, with arguments of our own.
import type { InstructionFamily } from '../../domain/accuracy/instructions.ts';
import { ifbenchReplies } from './ifbench.ts';
import { ifevalReplies } from './ifeval.ts';
import type { Kwargs } from './kwargs.ts';

const kwargs: Record<string, Kwargs> = {
  'change_case:capital_word_frequency': { capital_relation: 'less than', capital_frequency: 3 },
  'combination:repeat_prompt': { prompt_to_repeat: 'Name three kinds of rain.' },
  'detectable_content:number_placeholders': { num_placeholders: 3 },
  'detectable_content:postscript': { postscript_marker: 'P.S.' },
  'detectable_format:multiple_sections': { section_spliter: 'Part', num_sections: 3 },
  'detectable_format:number_bullet_lists': { num_bullets: 2 },
  'detectable_format:number_highlighted_sections': { num_highlights: 2 },
  'keywords:existence': { keywords: ['boots', 'puddle'] },
  'keywords:forbidden_words': { forbidden_words: ['umbrella', 'coat'] },
  'keywords:frequency': { keyword: 'cloud', frequency: 3, relation: 'at least' },
  'keywords:letter_frequency': { letter: 'q', let_frequency: 4, let_relation: 'at least' },
  'language:response_language': { language: 'de' },
  'length_constraints:nth_paragraph_first_word': { num_paragraphs: 3, nth_paragraph: 2, first_word: 'later' },
  'length_constraints:number_paragraphs': { num_paragraphs: 2 },
  'length_constraints:number_sentences': { num_sentences: 4, relation: 'at least' },
  'length_constraints:number_words': { num_words: 9, relation: 'at least' },
  'startend:end_checker': { end_phrase: 'Stay dry!' },
  'count:conjunctions': { small_n: 4 },
  'count:keywords_multiple': {
    keyword1: 'fog',
    keyword2: 'hail',
    keyword3: 'rain',
    keyword4: 'snow',
    keyword5: 'wind',
  },
  'count:numbers': { N: 3 },
  'count:person_names': { N: 5 },
  'count:pronouns': { N: 6 },
  'count:unique_word_count': { N: 12 },
  'count:word_count_range': { min_words: 8, max_words: 10 },
  'count:words_japanese': { N: 3 },
  'format:list': { sep: '!?!?' },
  'format:options': { options: 'rain/snow/fog' },
  'ratio:overlap': { reference_text: 'How does rain form over a warm sea?', percentage: 40 },
  'ratio:stop_words': { percentage: 20 },
  'repeat:repeat_change': { prompt_to_repeat: 'Describe the rain in two words.' },
  'repeat:repeat_span': { prompt_to_repeat: 'Describe the rain in two words.', n_start: 1, n_end: 4 },
  'sentence:increment': { small_n: 2 },
  'sentence:keyword': { word: 'drizzle', N: 3 },
  'words:keywords_specific_position': { keyword: 'thunder', n: 2, m: 4 },
  'words:repeats': { small_n: 2 },
  'words:words_position': { keyword: 'thunder' },
};

export type Example = { family: InstructionFamily; id: string; kwargs: Kwargs };

export const examples: Example[] = [
  ...Object.keys(ifevalReplies).map((id) => ({ family: 'ifeval' as const, id, kwargs: kwargs[id] ?? {} })),
  ...Object.keys(ifbenchReplies).map((id) => ({ family: 'ifbench' as const, id, kwargs: kwargs[id] ?? {} })),
];
