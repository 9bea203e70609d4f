// The instructions that the pinned checkers know, by family and kind.
import type { InstructionFamily } from './instructions.ts';

const known: Record<InstructionFamily, Record<string, string>> = {
  ifeval: {
    change_case: 'capital_word_frequency english_capital english_lowercase',
    combination: 'repeat_prompt two_responses',
    detectable_content: 'number_placeholders postscript',
    detectable_format:
      'constrained_response json_format multiple_sections number_bullet_lists number_highlighted_sections title',
    keywords: 'existence forbidden_words frequency letter_frequency',
    language: 'response_language',
    length_constraints: 'nth_paragraph_first_word number_paragraphs number_sentences number_words',
    punctuation: 'no_comma',
    startend: 'end_checker quotation',
  },
  ifbench: {
    count:
      'conjunctions keywords_multiple numbers person_names pronouns punctuation unique_word_count word_count_range ' +
      'words_japanese',
    custom:
      'character_reverse csv_city csv_quotes csv_special_character date_format_list european_capitals_sort ' +
      'mcq_count_length multiples reverse_newline sentence_alphabet word_reverse',
    format:
      'emoji line_indent list newline no_bullets_bullets no_whitespace options output_template parentheses ' +
      'quote_unquote quotes sub-bullets thesis title_case',
    ratio: 'overlap sentence_balance sentence_type sentence_words stop_words',
    repeat: 'repeat_change repeat_simple repeat_span',
    sentence: 'alliteration_increment increment keyword',
    words:
      'alphabet consonants keywords_specific_position last_first no_consecutive odd_even_syllables palindrome ' +
      'paragraph_last_first prime_lengths repeats start_verb vowel words_position',
  },
};

/** Such as `length_constraints:number_words`. */
export function instructionIds(family: InstructionFamily): string[] {
  return Object.entries(known[family]).flatMap(([kind, names]) => names.split(' ').map((name) => `${kind}:${name}`));
}
