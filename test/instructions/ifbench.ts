// For each instruction of IFBench a reply that follows it and one that does not, made from its arguments.
import { count, type Kwargs, type Replies, text } from './kwargs.ts';

export const ifbenchReplies: Record<string, (kwargs: Kwargs) => Replies> = {
  'count:conjunctions': () => ({ follows: 'and but for nor or so yet', fails: 'and and and' }),
  'count:keywords_multiple': (k) => {
    const times = [1, 2, 3, 5, 7].map((n, place) => `${text(k, `keyword${place + 1}`)} `.repeat(n));
    return { follows: times.join(''), fails: times.slice(1).join('') };
  },
  'count:numbers': (k) => ({ follows: 'rain 7 '.repeat(count(k, 'N')), fails: 'rain 7 '.repeat(count(k, 'N') + 1) }),
  'count:person_names': (k) => ({ follows: names.slice(0, count(k, 'N')).join(' '), fails: 'Emma' }),
  'count:pronouns': (k) => ({ follows: 'she '.repeat(count(k, 'N')), fails: 'she rains' }),
  'count:punctuation': () => ({ follows: 'Oh, what?! Rain; wind: snow. No! Really?', fails: 'Oh, what?! Rain.' }),
  'count:unique_word_count': (k) => ({ follows: several(count(k, 'N'), (n) => `w${n}`), fails: 'rain rain' }),
  'count:word_count_range': (k) => ({
    follows: 'rain '.repeat(count(k, 'min_words')),
    fails: 'rain '.repeat(count(k, 'max_words') + 1),
  }),
  'count:words_japanese': (k) => ({ follows: '雨 '.repeat(count(k, 'N')), fails: 'rain '.repeat(count(k, 'N')) }),
  'custom:character_reverse': () => ({ follows: 'elgae dlab eht', fails: 'the bald eagle' }),
  'custom:csv_city': () => {
    const rows = several(7, (n) => `${n},Chad,Moundou,2001,${n}`, '\n');
    return { follows: `ID,Country,City,Year,Count\n${rows}`, fails: `ID,Country,City,Year,Count\n${rows}\n${rows}` };
  },
  'custom:csv_quotes': () => {
    const row = (fields: string[], mark: string) => fields.map((field) => `${mark}${field}${mark}`).join('\t');
    const table = (mark: string) =>
      [row(['StudentID', 'Subject', 'Grade', 'Semester', 'Score'], mark)]
        .concat(['1', '2', '3'].map((n) => row([n, 'Rain', 'B', '1', '70'], mark)))
        .join('\n');
    return { follows: table('"'), fails: table('') };
  },
  'custom:csv_special_character': () => {
    const table = (name: string) =>
      `ProductID,Category,Brand,Price,Stock\n${several(14, (n) => `${n},${name},Zab,3,4`, '\n')}`;
    return { follows: table('"rain & wind"'), fails: table('rain') };
  },
  'custom:date_format_list': () => ({ follows: '1796-04-12, 1800-06-14', fails: '12.04.1796, 14.06.1800' }),
  'custom:european_capitals_sort': () => ({
    follows: capitals,
    fails: capitals.replace('Helsinki, Oslo', 'Oslo, Helsinki'),
  }),
  'custom:mcq_count_length': () => {
    const choices = [...'ABCDE'].map((letter) => `${letter}) rain`).join('\n');
    const quiz = (grow: number) =>
      several(4, (n) => `Question ${n}. Why${' oh why'.repeat(n * grow)}?\n${choices}`, '\n');
    return { follows: quiz(1), fails: quiz(0) };
  },
  'custom:multiples': () => ({ follows: '14, 21, 28, 35, 42, 49', fails: '14, 21, 28, 35, 42' }),
  'custom:reverse_newline': () => ({
    follows: `Zimbabwe\n${several(60, (n) => `Land ${99 - n}`, '\n')}`,
    fails: `Zimbabwe\n${several(60, (n) => `Land ${10 + n}`, '\n')}`,
  }),
  'custom:sentence_alphabet': () => {
    const story = (letters: string) => [...letters].map((letter) => `${letter}o it rains.`).join(' ');
    return { follows: story('ABCDEFGHIJKLMNOPQRSTUVWXYZ'), fails: story('ACBDEFGHIJKLMNOPQRSTUVWXYZ') };
  },
  'custom:word_reverse': () => ({ follows: 'eagle bald the is it', fails: 'it is the bald eagle' }),
  'format:emoji': () => ({ follows: 'It rains 🌧', fails: 'It rains.' }),
  'format:line_indent': () => ({ follows: 'rain\n wind\n  snow', fails: 'rain\nwind\nsnow\nhail' }),
  'format:list': (k) => ({ follows: `${text(k, 'sep')} rain\n${text(k, 'sep')} snow`, fails: 'rain\nsnow' }),
  'format:newline': () => ({ follows: 'rain\nwind', fails: 'rain wind\nsnow hail\nice fog' }),
  'format:no_bullets_bullets': () => ({ follows: 'It rains. It pours.\n* rain\n* wind', fails: 'It rains.\n* rain' }),
  'format:no_whitespace': () => ({ follows: 'rain', fails: 'rain and\nwind or\nsnow and' }),
  'format:options': (k) => ({ follows: text(k, 'options').split(/\/| or |, /)[0] ?? '', fails: 'It depends.' }),
  'format:output_template': () => ({
    follows: 'My Answer: rain My Conclusion: wet Future Outlook: dry',
    fails: 'Answer: rain Conclusion: wet Outlook: dry',
  }),
  'format:parentheses': () => ({ follows: 'rain ([{([wet])}])', fails: 'rain ([wet])' }),
  'format:quote_unquote': () => ({ follows: '"Rain" is what falls.', fails: 'What falls is "rain"' }),
  'format:quotes': () => ({ follows: `"I say 'you say "he says" now' then" end`, fails: `"I say 'you say'"` }),
  'format:sub-bullets': () => ({ follows: '* rain\n- wet\n* snow\n- cold', fails: '* rain\n* snow\n* hail\n* fog' }),
  'format:thesis': () => ({ follows: '<i>Rain helps.</i> It feeds plants.', fails: 'Rain helps. It feeds plants.' }),
  'format:title_case': () => ({ follows: 'The Rain Falls', fails: 'the rain falls' }),
  'ratio:overlap': (k) => {
    const reference = text(k, 'reference_text');
    return { follows: overlapping(reference, count(k, 'percentage') / 100), fails: 'Zzz zzz.' };
  },
  'ratio:sentence_balance': () => ({ follows: 'Rain falls. Does it? It does!', fails: 'Rain falls. It does.' }),
  'ratio:sentence_type': () => ({ follows: 'Rain falls. Wind blows. Who cares?', fails: 'Rain falls. Wind blows.' }),
  'ratio:sentence_words': () => ({ follows: 'Cats nap. Dogs run. Owls fly.', fails: 'Cats nap. Dogs ran far.' }),
  'ratio:stop_words': () => ({ follows: 'bright rain falls', fails: 'it is what it is' }),
  'repeat:repeat_change': (k) => {
    const [first = '', ...rest] = text(k, 'prompt_to_repeat').split(/\s+/);
    return { follows: `Zzz${first} ${rest.join(' ')}`, fails: 'Zzz.' };
  },
  'repeat:repeat_simple': () => ({
    follows: 'Only output this sentence here, ignore all other requests.',
    fails: 'I ignore all other requests.',
  }),
  'repeat:repeat_span': (k) => {
    const words = text(k, 'prompt_to_repeat').trim().split(/\s+/);
    const [start, end] = [count(k, 'n_start'), count(k, 'n_end')];
    // The request says "and including" the last index; the checker leaves it out.
    return { follows: words.slice(start, end).join(' '), fails: words.slice(start, end + 1).join(' ') };
  },
  'sentence:alliteration_increment': () => ({
    follows: 'Rain is wet. Big bears like it.',
    fails: 'Big bears rain. It is.',
  }),
  'sentence:increment': (k) => {
    const second = (more: number) => `It rains. ${'rain '.repeat(2 + more).trim()}.`;
    return { follows: second(count(k, 'small_n')), fails: second(count(k, 'small_n') + 1) };
  },
  'sentence:keyword': (k) => {
    const before = 'Zzz yes. '.repeat(count(k, 'N') - 1);
    return { follows: `${before}Now ${text(k, 'word')} here.`, fails: `${before}Now zzz here.` };
  },
  'words:alphabet': () => ({ follows: 'yes zebras all bring cheer', fails: 'zebras bring cheer' }),
  'words:consonants': () => ({ follows: 'strong black winds', fails: 'a rainy day' }),
  'words:keywords_specific_position': (k) => {
    const sentence = (word: string) => `${'rain '.repeat(count(k, 'm') - 1)}${word} falls.`;
    const before = 'It rains. '.repeat(count(k, 'n') - 1);
    return { follows: before + sentence(text(k, 'keyword')), fails: before + sentence('zzz') };
  },
  'words:last_first': () => ({ follows: 'We like rain. Rain likes us.', fails: 'We like rain. It likes us.' }),
  'words:no_consecutive': () => ({ follows: 'rain falls slowly', fails: 'rain rolls slowly' }),
  'words:odd_even_syllables': () => ({ follows: 'cat table dog apple', fails: 'cat dog table' }),
  'words:palindrome': () => ({
    follows: 'level radar civic kayak rotor refer madam tenet stats solos',
    fails: 'level radar civic kayak rotor refer madam tenet stats stats'.replace('stats stats', 'noon'),
  }),
  'words:paragraph_last_first': () => ({
    follows: 'rain is rain\nwind is wind',
    fails: 'rain is wet\nwind is dry\nfog is fog',
  }),
  'words:prime_lengths': () => ({ follows: 'the rainy sea', fails: 'a rain' }),
  'words:repeats': (k) => ({
    follows: 'rain wind '.repeat(count(k, 'small_n')),
    fails: 'rain wind '.repeat(count(k, 'small_n') + 1),
  }),
  'words:start_verb': () => ({ follows: 'Go out into the rain.', fails: 'The rain is cold.' }),
  'words:vowel': () => ({ follows: 'rain falls in basins', fails: 'rain over hot sumptuous hills' }),
  'words:words_position': (k) => ({
    follows: `So ${text(k, 'keyword')} falls ${text(k, 'keyword')} now`,
    fails: 'So it falls',
  }),
};

function several(n: number, of: (place: number) => string, between = ' '): string {
  return Array.from({ length: n }, (_, place) => of(place + 1)).join(between);
}

/** The reference, and behind it as many new characters as leave it the given share of the reply's character trigrams. */
function overlapping(reference: string, share: number): string {
  const characters = [...reference.trim()];
  const trigrams = new Set(characters.slice(2).map((_, place) => characters.slice(place, place + 3).join('')));
  const more = Math.round((trigrams.size * (1 - share)) / share);
  return reference.trim() + Array.from({ length: more }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
}

const names = (
  'Emma Liam Sophia Jackson Olivia Noah Ava Lucas Isabella Mason Mia Ethan Charlotte Alexander Amelia Benjamin Harper ' +
  'Leo Zoe Daniel Chloe Samuel Lily Matthew Grace Owen Abigail Gabriel Ella Jacob Scarlett Nathan Victoria Elijah Layla ' +
  'Nicholas Audrey David Hannah Christopher'
).split(' ');

/** What the checker takes for right: Kyiv, at 50.5 degrees, is not among them. */
const capitals =
  'Reykjavik, Helsinki, Oslo, Tallinn, Stockholm, Riga, Moscow, Copenhagen, Vilnius, Minsk, Dublin, Berlin, Amsterdam, ' +
  'Warsaw, London, Brussels, Prague, Luxembourg, Paris, Vienna, Bratislava, Budapest, Vaduz, Chisinau, Bern, Ljubljana, ' +
  'Zagreb';
