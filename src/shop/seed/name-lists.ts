/** Names in one language: as written there, and in Latin letters for e-mail addresses. */
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

const split = (list: string): string[] => list.split(', ')

/** Splits a list into pairs; a single text is both parts. */
const splitPairs = (list: string): [string, string][] =>
  split(list).map(pair => {
    const [one = '', other = one] = pair.split('=')
    return [one, other]
  })

export const LOCALES: readonly Locale[] = [
  {
    language: 'English',
    country: 'GB',
    first: splitPairs('Ada, Grace, Alan, Mary, George, Edith, Charles, Rosalind, Oliver, Emily'),
    last: splitPairs(
      "Byron, Hopper, Turing, Shelley, Boole, Clarke, Babbage, Franklin, O'Neill=oneill, Smith-Jones=smith-jones",
    ),
    streets: split('High Street, Station Road, Church Lane, Victoria Avenue'),
    cities: splitPairs('SW1A 1AA=London, M1 1AE=Manchester, EH1 1YZ=Edinburgh, CF10 1BH=Cardiff'),
    companies: split('Byron & Sons Ltd, Northern Goods plc, Thames Trading'),
  },
  {
    language: 'Deutsch',
    country: 'DE',
    first: splitPairs(
      'Anna, Lena, Lukas, Emmy, Konrad, Johanna, Jürgen=juergen, Käthe=kaethe, Björn=bjoern, Zoë=zoe',
    ),
    last: splitPairs(
      'Schmidt, Weber, Noether, Zuse, Hoffmann, Wagner, Müller=mueller, Großmann=grossmann, Schäfer=schaefer, Köhler=koehler',
    ),
    streets: split('Hauptstraße, Gartenweg, Am Mühlbach, Königsallee'),
    cities: splitPairs('10115=Berlin, 01067=Dresden, 80331=München, 50667=Köln'),
    companies: split('Müller & Söhne GmbH, Nordlicht eG, Großhandel Weber KG'),
  },
  {
    language: 'Français',
    country: 'FR',
    first: splitPairs(
      'Claire, Sophie, Blaise, Henri, Émilie=emilie, François=francois, Hélène=helene, Noël=noel',
    ),
    last: splitPairs(
      "Dubois, Moreau, Germain, Pascal, Fontaine, Lefèvre=lefevre, Bézout=bezout, D'Alembert=dalembert",
    ),
    streets: split('Rue de la Paix, Avenue des Champs, Quai d’Orsay, Impasse du Château'),
    cities: splitPairs('75001=Paris, 69001=Lyon, 06000=Nice, 42000=Saint-Étienne'),
    companies: split('Fontaine & Cie, Éditions Moreau SARL'),
  },
  {
    language: 'Español',
    country: 'ES',
    first: splitPairs('Isabel, Carmen, Diego, Pablo, Íñigo=inigo, José=jose, Begoña=begona, Ángela=angela'),
    last: splitPairs('Navarro, Torres, Ortega, Castillo, Núñez=nunez, García=garcia, Peña=pena'),
    streets: split('Calle Mayor, Plaza de España, Paseo del Prado, Avenida de la Constitución'),
    cities: splitPairs('28001=Madrid, 08001=Barcelona, 15001=A Coruña, 14001=Córdoba'),
    companies: split('Hermanos Núñez S.L., Castillo e Hijos'),
  },
  {
    language: 'Polski',
    country: 'PL',
    first: splitPairs(
      'Maria, Jan, Zofia, Adam, Łukasz=lukasz, Małgorzata=malgorzata, Żaneta=zaneta, Święta=swieta',
    ),
    last: splitPairs('Nowak, Kowalska, Banach, Lem, Wójcik=wojcik, Żółkiewski=zolkiewski, Łoś=los'),
    streets: split('ul. Świętokrzyska, ul. Długa, al. Niepodległości'),
    cities: splitPairs('00-001=Warszawa, 90-001=Łódź, 30-001=Kraków, 80-001=Gdańsk'),
    companies: split('Wójcik i Synowie sp. z o.o., Księgarnia Łódzka'),
  },
  {
    language: 'Ελληνικά',
    country: 'GR',
    first: splitPairs('Ελένη=eleni, Γιώργος=giorgos, Υπατία=ypatia, Νίκος=nikos'),
    last: splitPairs('Παπαδόπουλος=papadopoulos, Καραθεοδωρή=karatheodori, Νικολαΐδης=nikolaidis'),
    streets: split('Οδός Ερμού, Λεωφόρος Αλεξάνδρας'),
    cities: splitPairs('105 57=Αθήνα, 546 22=Θεσσαλονίκη'),
    companies: split('Παπαδόπουλος Α.Ε.'),
  },
  {
    language: 'Русский',
    country: 'RU',
    first: splitPairs('Софья=sofya, Фёдор=fyodor, Андрей=andrey, Наталья=natalya'),
    last: splitPairs('Ковалевская=kovalevskaya, Чебышёв=chebyshyov, Толстой=tolstoy, Иванова=ivanova'),
    streets: split('ул. Ленина, Невский проспект'),
    cities: splitPairs('101000=Москва, 190000=Санкт-Петербург'),
    companies: split('ООО «Ромашка»'),
  },
  {
    language: '日本語',
    country: 'JP',
    first: splitPairs('さくら=sakura, 健太=kenta, 美咲=misaki, 翔=sho'),
    last: splitPairs('佐藤=sato, 鈴木=suzuki, 高橋=takahashi, 渡辺=watanabe'),
    streets: split('銀座四丁目, 本町通り'),
    cities: splitPairs('104-0061=東京都中央区, 541-0053=大阪市'),
    companies: split('株式会社佐藤商店'),
  },
  {
    language: 'العربية',
    country: 'EG',
    first: splitPairs('فاطمة=fatima, محمد=mohamed, ليلى=layla'),
    last: splitPairs('الخوارزمي=alkhwarizmi, حسن=hassan, محفوظ=mahfouz'),
    streets: split('شارع التحرير, شارع النيل'),
    cities: splitPairs('11511=القاهرة, 21500=الإسكندرية'),
    companies: split('شركة النيل للتجارة'),
  },
  {
    language: 'English',
    country: 'TR',
    first: splitPairs('İpek=ipek, Işıl=isil, Çağrı=cagri, Ömer=omer'),
    last: splitPairs('Yılmaz=yilmaz, Şahin=sahin, Öztürk=ozturk, Nesin=nesin'),
    streets: split('İstiklal Caddesi, Atatürk Bulvarı'),
    cities: splitPairs('34430=İstanbul, 06420=Ankara'),
    companies: split('Yılmaz Ticaret A.Ş.'),
  },
  {
    language: 'English',
    country: 'VN',
    first: splitPairs('Thị Hương=huong, Văn Đức=duc, Bảo Châu=chau'),
    last: splitPairs('Nguyễn=nguyen, Trần=tran, Đặng=dang'),
    streets: split('Đường Lê Lợi, Phố Huế'),
    cities: splitPairs('100000=Hà Nội, 700000=Thành phố Hồ Chí Minh'),
    companies: split('Công ty Hoa Sen'),
  },
]

/** Products: number, label, gross price in euros. */
export const GOODS = [
  ['SW10001', 'Kaffeebecher „Großmutter“', 12.9],
  ['SW10002', 'Notebook A5 <dotted>', 7.5],
  ['SW10003', 'Thé vert « Été »', 18.0],
  ['SW10004', 'Лампа настольная', 49.99],
  ['SW10005', '急須', 64.0],
  ['SW10006', 'Pencil & eraser', 2.25],
] as const
