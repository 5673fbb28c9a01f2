/**
 * What people may mean by an abbreviation. Engines read `BST` as Dhaka, `IST` as Kolkata, `ART` as Cairo and `EST` without daylight saving
 * time.
 */
export const abbreviations: Readonly<Record<string, string>> = {
  'ACT ACST ACDT': 'Australia/Adelaide, Australia/Darwin or America/Rio_Branco',
  'AET AEST AEDT': 'Australia/Sydney or Australia/Brisbane',
  'AST ADT': 'America/Halifax, America/Puerto_Rico or Asia/Riyadh',
  ART: 'America/Argentina/Buenos_Aires or Africa/Cairo',
  BST: 'Europe/London or Asia/Dhaka',
  'CET CEST MET': 'Europe/Berlin, Europe/Paris or Africa/Algiers',
  'CST CDT': 'America/Chicago, America/Mexico_City, America/Havana or Asia/Shanghai',
  'EET EEST': 'Europe/Athens, Europe/Kyiv or Africa/Cairo',
  'EST EDT': 'America/New_York, America/Toronto or America/Panama',
  HST: 'Pacific/Honolulu or America/Adak',
  IST: 'Asia/Kolkata, Europe/Dublin or Asia/Jerusalem',
  'MST MDT': 'America/Denver, America/Edmonton or America/Phoenix',
  NST: 'America/St_Johns',
  'PST PDT': 'America/Los_Angeles, America/Vancouver or Asia/Manila',
  'WET WEST': 'Europe/Lisbon or Atlantic/Canary',
};
