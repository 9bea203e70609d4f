// For each instruction of IFEval a reply that follows it and one that does not, made from its arguments.
import { bySide, count, type Kwargs, type Replies, text, texts } from './kwargs.ts';

const lines = (n: number, of: (place: number) => string) => Array.from({ length: n }, (_, place) => of(place + 1));

export const ifevalReplies: Record<string, (kwargs: Kwargs) => Replies> = {
  'change_case:capital_word_frequency': (k) =>
    bySide(text(k, 'capital_relation'), { many: 'LOUD '.repeat(count(k, 'capital_frequency')), few: 'quiet' }),
  'change_case:english_capital': () => ({
    follows: 'THE WEATHER IS FINE TODAY AND WE ARE ALL GOING TO THE BEACH WITH OUR FRIENDS',
    fails: 'The weather is fine today and we are all going to the beach with our friends',
  }),
  'change_case:english_lowercase': () => ({
    follows: 'the weather is fine today and we are all going to the beach with our friends',
    fails: 'The weather is fine today and we are all going to the beach with our friends',
  }),
  'combination:repeat_prompt': (k) => ({ follows: `${text(k, 'prompt_to_repeat')}\nGladly.`, fails: 'Gladly.' }),
  'combination:two_responses': () => ({ follows: 'Rain.\n******\nSnow.', fails: 'Rain.\n***\nSnow.' }),
  'detectable_content:number_placeholders': (k) => ({
    follows: '[name] '.repeat(count(k, 'num_placeholders')),
    fails: '[name] '.repeat(count(k, 'num_placeholders') - 1),
  }),
  'detectable_content:postscript': (k) => ({
    follows: `Rain again.\n${text(k, 'postscript_marker')} Bring boots.`,
    fails: 'Rain again. Bring boots.',
  }),
  'detectable_format:constrained_response': () => ({ follows: 'My answer is maybe.', fails: 'Perhaps.' }),
  'detectable_format:json_format': () => ({ follows: '```json\n{"rain": [1, 2]}\n```', fails: '{"rain": [1, 2}' }),
  'detectable_format:multiple_sections': (k) => ({
    follows: lines(count(k, 'num_sections'), (n) => `${text(k, 'section_spliter')} ${n}\nRain.`).join('\n'),
    fails: lines(count(k, 'num_sections'), () => `${text(k, 'section_spliter')}\nRain.`).join('\n'),
  }),
  'detectable_format:number_bullet_lists': (k) => ({
    follows: lines(count(k, 'num_bullets'), () => '* rain').join('\n'),
    fails: lines(count(k, 'num_bullets') + 9, () => '* rain').join('\n'),
  }),
  'detectable_format:number_highlighted_sections': (k) => ({
    follows: '*rain* '.repeat(count(k, 'num_highlights')),
    fails: '*rain* '.repeat(count(k, 'num_highlights') - 1),
  }),
  'detectable_format:title': () => ({ follows: '<<Rain>>\nIt falls.', fails: '<Rain>\nIt falls.' }),
  'keywords:existence': (k) => ({ follows: texts(k, 'keywords').join(' '), fails: 'Zzz.' }),
  'keywords:forbidden_words': (k) => ({ follows: 'Zzz.', fails: `Zzz ${texts(k, 'forbidden_words')[0]} zzz.` }),
  'keywords:frequency': (k) =>
    bySide(text(k, 'relation'), { many: `${text(k, 'keyword')} `.repeat(count(k, 'frequency')), few: 'Zzz.' }),
  'keywords:letter_frequency': (k) =>
    bySide(text(k, 'let_relation'), { many: `${text(k, 'letter')} `.repeat(count(k, 'let_frequency')), few: '0' }),
  'language:response_language': (k) => {
    const own = sentences[text(k, 'language')];
    const other = text(k, 'language') === 'fi' ? 'de' : 'fi';
    return { follows: own ?? 'no sentence in this language', fails: sentences[other] ?? '' };
  },
  'length_constraints:nth_paragraph_first_word': (k) => {
    const nth = (word: string) =>
      lines(count(k, 'num_paragraphs'), (n) => (n === count(k, 'nth_paragraph') ? `${word}, rain.` : 'Rain.'));
    return { follows: nth(text(k, 'first_word')).join('\n\n'), fails: nth('zzz').join('\n\n') };
  },
  'length_constraints:number_paragraphs': (k) => ({
    follows: lines(count(k, 'num_paragraphs'), () => 'Rain.').join('\n***\n'),
    fails: lines(count(k, 'num_paragraphs') + 3, () => 'Rain.').join('\n***\n'),
  }),
  'length_constraints:number_sentences': (k) =>
    count(k, 'num_sentences') === 1
      ? { follows: 'It rains.', fails: '' }
      : bySide(text(k, 'relation'), { many: 'It rains. '.repeat(count(k, 'num_sentences')), few: 'It rains.' }),
  'length_constraints:number_words': (k) =>
    bySide(text(k, 'relation'), { many: 'rain '.repeat(count(k, 'num_words')), few: 'rain' }),
  'punctuation:no_comma': () => ({ follows: 'Rain; snow.', fails: 'Rain, snow.' }),
  'startend:end_checker': (k) => ({ follows: `Rain. ${text(k, 'end_phrase')}`, fails: 'Rain.' }),
  'startend:quotation': () => ({ follows: '"Rain."', fails: 'Rain.' }),
};

/** That it has rained since morning and the children stay at home, more or less, in each language of the data. */
const sentences: Record<string, string> = {
  ar: 'تمطر السماء منذ الصباح والأطفال يبقون في البيت ويقرؤون الكتب.',
  bg: 'Вали от сутринта и децата остават вкъщи, за да четат книги.',
  bn: 'সকাল থেকে বৃষ্টি হচ্ছে আর বাচ্চারা ঘরে বসে বই পড়ছে।',
  de: 'Es regnet seit dem Morgen, und die Kinder bleiben zu Hause und lesen Bücher.',
  fa: 'از صبح باران می‌بارد و بچه‌ها در خانه می‌مانند و کتاب می‌خوانند.',
  fi: 'On satanut aamusta asti, ja lapset jäävät kotiin lukemaan kirjoja.',
  gu: 'સવારથી વરસાદ પડે છે અને બાળકો ઘરે બેસીને પુસ્તકો વાંચે છે.',
  hi: 'सुबह से बारिश हो रही है और बच्चे घर में बैठकर किताबें पढ़ रहे हैं।',
  it: 'Piove da questa mattina e i bambini restano a casa a leggere dei libri.',
  kn: 'ಬೆಳಿಗ್ಗೆಯಿಂದ ಮಳೆ ಬರುತ್ತಿದೆ ಮತ್ತು ಮಕ್ಕಳು ಮನೆಯಲ್ಲಿ ಪುಸ್ತಕ ಓದುತ್ತಿದ್ದಾರೆ.',
  ko: '아침부터 비가 내려서 아이들은 집에서 책을 읽고 있습니다.',
  mr: 'सकाळपासून पाऊस पडत आहे आणि मुले घरात बसून पुस्तके वाचत आहेत.',
  ne: 'बिहानदेखि पानी परिरहेको छ र केटाकेटीहरू घरमा बसेर किताब पढिरहेका छन्।',
  pa: 'ਸਵੇਰ ਤੋਂ ਮੀਂਹ ਪੈ ਰਿਹਾ ਹੈ ਅਤੇ ਬੱਚੇ ਘਰ ਬੈਠ ਕੇ ਕਿਤਾਬਾਂ ਪੜ੍ਹ ਰਹੇ ਹਨ।',
  pt: 'Chove desde a manhã e as crianças ficam em casa para ler os seus livros.',
  ru: 'С самого утра идёт дождь, и дети остаются дома и читают книги.',
  sw: 'Mvua inanyesha tangu asubuhi na watoto wanabaki nyumbani wakisoma vitabu vyao.',
  ta: 'காலையிலிருந்து மழை பெய்கிறது, குழந்தைகள் வீட்டில் புத்தகம் படிக்கிறார்கள்.',
  te: 'ఉదయం నుండి వర్షం పడుతోంది, పిల్లలు ఇంట్లో పుస్తకాలు చదువుతున్నారు.',
  th: 'ฝนตกตั้งแต่เช้าและเด็ก ๆ อยู่บ้านอ่านหนังสือ',
  ur: 'صبح سے بارش ہو رہی ہے اور بچے گھر میں بیٹھ کر کتابیں پڑھ رہے ہیں۔',
  vi: 'Trời mưa từ sáng và bọn trẻ ở nhà đọc những cuốn sách của mình.',
};
