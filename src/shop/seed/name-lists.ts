/** People of one language: names as they are written there, and in Latin letters for their e-mail addresses. */
export interface Locale {
  language: string
  country: string
  /** First names: written, in Latin letters. */
  first: readonly (readonly [string, string])[]
  last: readonly (readonly [string, string])[]
  streets: readonly string[]
  /** Postal code and city. */
  cities: readonly (readonly [string, string])[]
  companies: readonly string[]
}

const pairWithItself = (...names: string[]): [string, string][] => names.map(name => [name, name])

export const LOCALES: readonly Locale[] = [
  {
    language: 'English',
    country: 'GB',
    first: pairWithItself(
      'Ada',
      'Grace',
      'Alan',
      'Mary',
      'George',
      'Edith',
      'Charles',
      'Rosalind',
      'Oliver',
      'Emily',
    ),
    last: [
      ...pairWithItself('Byron', 'Hopper', 'Turing', 'Shelley', 'Boole', 'Clarke', 'Babbage', 'Franklin'),
      ["O'Neill", 'oneill'],
      ['Smith-Jones', 'smith-jones'],
    ],
    streets: ['High Street', 'Station Road', 'Church Lane', 'Victoria Avenue'],
    cities: [
      ['SW1A 1AA', 'London'],
      ['M1 1AE', 'Manchester'],
      ['EH1 1YZ', 'Edinburgh'],
      ['CF10 1BH', 'Cardiff'],
    ],
    companies: ['Byron & Sons Ltd', 'Northern Goods plc', 'Thames Trading'],
  },
  {
    language: 'Deutsch',
    country: 'DE',
    first: [
      ...pairWithItself('Anna', 'Lena', 'Lukas', 'Emmy', 'Konrad', 'Johanna'),
      ['Jürgen', 'juergen'],
      ['Käthe', 'kaethe'],
      ['Björn', 'bjoern'],
      ['Zoë', 'zoe'],
    ],
    last: [
      ...pairWithItself('Schmidt', 'Weber', 'Noether', 'Zuse', 'Hoffmann', 'Wagner'),
      ['Müller', 'mueller'],
      ['Großmann', 'grossmann'],
      ['Schäfer', 'schaefer'],
      ['Köhler', 'koehler'],
    ],
    streets: ['Hauptstraße', 'Gartenweg', 'Am Mühlbach', 'Königsallee'],
    cities: [
      ['10115', 'Berlin'],
      ['01067', 'Dresden'],
      ['80331', 'München'],
      ['50667', 'Köln'],
    ],
    companies: ['Müller & Söhne GmbH', 'Nordlicht eG', 'Großhandel Weber KG'],
  },
  {
    language: 'Français',
    country: 'FR',
    first: [
      ...pairWithItself('Claire', 'Sophie', 'Blaise', 'Henri'),
      ['Émilie', 'emilie'],
      ['François', 'francois'],
      ['Hélène', 'helene'],
      ['Noël', 'noel'],
    ],
    last: [
      ...pairWithItself('Dubois', 'Moreau', 'Germain', 'Pascal', 'Fontaine'),
      ['Lefèvre', 'lefevre'],
      ['Bézout', 'bezout'],
      ["D'Alembert", 'dalembert'],
    ],
    streets: ['Rue de la Paix', 'Avenue des Champs', 'Quai d’Orsay', 'Impasse du Château'],
    cities: [
      ['75001', 'Paris'],
      ['69001', 'Lyon'],
      ['06000', 'Nice'],
      ['42000', 'Saint-Étienne'],
    ],
    companies: ['Fontaine & Cie', 'Éditions Moreau SARL'],
  },
  {
    language: 'Español',
    country: 'ES',
    first: [
      ...pairWithItself('Isabel', 'Carmen', 'Diego', 'Pablo'),
      ['Íñigo', 'inigo'],
      ['José', 'jose'],
      ['Begoña', 'begona'],
      ['Ángela', 'angela'],
    ],
    last: [
      ...pairWithItself('Navarro', 'Torres', 'Ortega', 'Castillo'),
      ['Núñez', 'nunez'],
      ['García', 'garcia'],
      ['Peña', 'pena'],
    ],
    streets: ['Calle Mayor', 'Plaza de España', 'Paseo del Prado', 'Avenida de la Constitución'],
    cities: [
      ['28001', 'Madrid'],
      ['08001', 'Barcelona'],
      ['15001', 'A Coruña'],
      ['14001', 'Córdoba'],
    ],
    companies: ['Hermanos Núñez S.L.', 'Castillo e Hijos'],
  },
  {
    language: 'Polski',
    country: 'PL',
    first: [
      ...pairWithItself('Maria', 'Jan', 'Zofia', 'Adam'),
      ['Łukasz', 'lukasz'],
      ['Małgorzata', 'malgorzata'],
      ['Żaneta', 'zaneta'],
      ['Święta', 'swieta'],
    ],
    last: [
      ...pairWithItself('Nowak', 'Kowalska', 'Banach', 'Lem'),
      ['Wójcik', 'wojcik'],
      ['Żółkiewski', 'zolkiewski'],
      ['Łoś', 'los'],
    ],
    streets: ['ul. Świętokrzyska', 'ul. Długa', 'al. Niepodległości'],
    cities: [
      ['00-001', 'Warszawa'],
      ['90-001', 'Łódź'],
      ['30-001', 'Kraków'],
      ['80-001', 'Gdańsk'],
    ],
    companies: ['Wójcik i Synowie sp. z o.o.', 'Księgarnia Łódzka'],
  },
  {
    language: 'Ελληνικά',
    country: 'GR',
    first: [
      ['Ελένη', 'eleni'],
      ['Γιώργος', 'giorgos'],
      ['Υπατία', 'ypatia'],
      ['Νίκος', 'nikos'],
    ],
    last: [
      ['Παπαδόπουλος', 'papadopoulos'],
      ['Καραθεοδωρή', 'karatheodori'],
      ['Νικολαΐδης', 'nikolaidis'],
    ],
    streets: ['Οδός Ερμού', 'Λεωφόρος Αλεξάνδρας'],
    cities: [
      ['105 57', 'Αθήνα'],
      ['546 22', 'Θεσσαλονίκη'],
    ],
    companies: ['Παπαδόπουλος Α.Ε.'],
  },
  {
    language: 'Русский',
    country: 'RU',
    first: [
      ['Софья', 'sofya'],
      ['Фёдор', 'fyodor'],
      ['Андрей', 'andrey'],
      ['Наталья', 'natalya'],
    ],
    last: [
      ['Ковалевская', 'kovalevskaya'],
      ['Чебышёв', 'chebyshyov'],
      ['Толстой', 'tolstoy'],
      ['Иванова', 'ivanova'],
    ],
    streets: ['ул. Ленина', 'Невский проспект'],
    cities: [
      ['101000', 'Москва'],
      ['190000', 'Санкт-Петербург'],
    ],
    companies: ['ООО «Ромашка»'],
  },
  {
    language: '日本語',
    country: 'JP',
    first: [
      ['さくら', 'sakura'],
      ['健太', 'kenta'],
      ['美咲', 'misaki'],
      ['翔', 'sho'],
    ],
    last: [
      ['佐藤', 'sato'],
      ['鈴木', 'suzuki'],
      ['高橋', 'takahashi'],
      ['渡辺', 'watanabe'],
    ],
    streets: ['銀座四丁目', '本町通り'],
    cities: [
      ['104-0061', '東京都中央区'],
      ['541-0053', '大阪市'],
    ],
    companies: ['株式会社佐藤商店'],
  },
  {
    language: 'العربية',
    country: 'EG',
    first: [
      ['فاطمة', 'fatima'],
      ['محمد', 'mohamed'],
      ['ليلى', 'layla'],
    ],
    last: [
      ['الخوارزمي', 'alkhwarizmi'],
      ['حسن', 'hassan'],
      ['محفوظ', 'mahfouz'],
    ],
    streets: ['شارع التحرير', 'شارع النيل'],
    cities: [
      ['11511', 'القاهرة'],
      ['21500', 'الإسكندرية'],
    ],
    companies: ['شركة النيل للتجارة'],
  },
  {
    language: 'English',
    country: 'TR',
    first: [
      ['İpek', 'ipek'],
      ['Işıl', 'isil'],
      ['Çağrı', 'cagri'],
      ['Ömer', 'omer'],
    ],
    last: [
      ['Yılmaz', 'yilmaz'],
      ['Şahin', 'sahin'],
      ['Öztürk', 'ozturk'],
      ['Nesin', 'nesin'],
    ],
    streets: ['İstiklal Caddesi', 'Atatürk Bulvarı'],
    cities: [
      ['34430', 'İstanbul'],
      ['06420', 'Ankara'],
    ],
    companies: ['Yılmaz Ticaret A.Ş.'],
  },
  {
    language: 'English',
    country: 'VN',
    first: [
      ['Thị Hương', 'huong'],
      ['Văn Đức', 'duc'],
      ['Bảo Châu', 'chau'],
    ],
    last: [
      ['Nguyễn', 'nguyen'],
      ['Trần', 'tran'],
      ['Đặng', 'dang'],
    ],
    streets: ['Đường Lê Lợi', 'Phố Huế'],
    cities: [
      ['100000', 'Hà Nội'],
      ['700000', 'Thành phố Hồ Chí Minh'],
    ],
    companies: ['Công ty Hoa Sen'],
  },
]

/** What is ordered: product number, label, gross price in euros. */
export const GOODS = [
  ['SW10001', 'Kaffeebecher „Großmutter“', 12.9],
  ['SW10002', 'Notebook A5 <dotted>', 7.5],
  ['SW10003', 'Thé vert « Été »', 18.0],
  ['SW10004', 'Лампа настольная', 49.99],
  ['SW10005', '急須', 64.0],
  ['SW10006', 'Pencil & eraser', 2.25],
] as const
