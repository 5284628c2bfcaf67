//! The units that are known, each with its exact factor to the base unit of its dimension.
//!
//! Factors are the legal definitions (international yard and pound, US liquid gallon, Chinese market units). A
//! factor that is a fraction is written as one.

use shidi_locales::Language;

/// The quantity that a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dimension {
    Length,
    Mass,
    Temperature,
    Volume,
    Area,
    Speed,
    Data,
    Time,
}

impl Dimension {
    pub(super) fn name(self, language: Language) -> &'static str {
        let say = language.planner();
        match self {
            Self::Length => say.kind_length(),
            Self::Mass => say.kind_mass(),
            Self::Temperature => say.kind_temperature(),
            Self::Volume => say.kind_volume(),
            Self::Area => say.kind_area(),
            Self::Speed => say.kind_speed(),
            Self::Data => say.kind_data(),
            Self::Time => say.kind_time(),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub dimension: Dimension,
    pub english: &'static str,
    pub chinese: &'static str,
    /// The number of base units that make one unit: `times / over`.
    times: &'static str,
    over: &'static str,
    /// Names as people write them; lower case unless only the case tells two units apart.
    pub names: &'static [&'static str],
}

impl Unit {
    /// Its name as answers write it. Names are read as well as written, so they stand in the table.
    pub(super) fn name(&self, language: Language) -> &'static str {
        match language {
            Language::Zh => self.chinese,
            _ => self.english,
        }
    }

    /// Whether zero of the unit is not nothing, as with °C.
    pub(super) fn is_affine(&self) -> bool {
        self.dimension == Dimension::Temperature
    }

    /// Python that turns an amount of this unit into base units.
    pub(super) fn in_base(&self, amount: &str) -> String {
        scaled(amount, self.times, self.over)
    }

    /// Python that turns base units into this unit.
    pub(super) fn out_of_base(&self, base: &str) -> String {
        scaled(base, self.over, self.times)
    }
}

fn scaled(value: &str, times: &str, over: &str) -> String {
    let mut text = value.to_owned();
    if times != "1" {
        text = format!("{text} * {times}");
    }
    if over != "1" {
        text = format!("{text} / {over}");
    }
    text
}

/// Python that turns a temperature into another scale.
pub(super) fn temperature(source: &Unit, target: &Unit, amount: &str) -> String {
    match (source.english, target.english) {
        ("°C", "°F") => format!("{amount} * 9 / 5 + 32"),
        ("°C", "K") => format!("{amount} + 273.15"),
        ("°F", "°C") => format!("({amount} - 32) * 5 / 9"),
        ("°F", "K") => format!("({amount} - 32) * 5 / 9 + 273.15"),
        ("K", "°C") => format!("{amount} - 273.15"),
        ("K", "°F") => format!("({amount} - 273.15) * 9 / 5 + 32"),
        _ => amount.to_owned(),
    }
}

const fn unit(
    dimension: Dimension,
    english: &'static str,
    chinese: &'static str,
    times: &'static str,
    over: &'static str,
    names: &'static [&'static str],
) -> Unit {
    Unit {
        dimension,
        english,
        chinese,
        times,
        over,
        names,
    }
}

use Dimension::{Area, Data, Length, Mass, Speed, Temperature, Time, Volume};

#[rustfmt::skip]
pub(super) const UNITS: &[Unit] = &[
    // Base: metre.
    unit(Length, "nm", "纳米", "1", "1000000000", &["nm", "nanometer", "nanometers", "nanometre", "nanometres", "纳米"]),
    unit(Length, "μm", "微米", "1", "1000000", &["μm", "um", "micrometer", "micrometers", "micron", "microns", "微米"]),
    unit(Length, "mm", "毫米", "1", "1000", &["mm", "millimeter", "millimeters", "millimetre", "millimetres", "毫米"]),
    unit(Length, "cm", "厘米", "1", "100", &["cm", "centimeter", "centimeters", "centimetre", "centimetres", "厘米", "公分"]),
    unit(Length, "dm", "分米", "1", "10", &["dm", "decimeter", "decimeters", "分米"]),
    unit(Length, "m", "米", "1", "1", &["m", "meter", "meters", "metre", "metres", "米", "公尺"]),
    unit(Length, "km", "公里", "1000", "1", &["km", "kms", "kilometer", "kilometers", "kilometre", "kilometres", "公里", "千米"]),
    unit(Length, "in", "英寸", "0.0254", "1", &["inch", "inches", "in", "英寸", "吋"]),
    unit(Length, "ft", "英尺", "0.3048", "1", &["ft", "foot", "feet", "英尺", "呎"]),
    unit(Length, "yd", "码", "0.9144", "1", &["yd", "yard", "yards", "码"]),
    unit(Length, "mi", "英里", "1609.344", "1", &["mi", "mile", "miles", "英里"]),
    unit(Length, "nmi", "海里", "1852", "1", &["nmi", "nautical mile", "nautical miles", "海里"]),
    unit(Length, "li", "里", "500", "1", &["里", "华里", "里地", "里路"]),
    unit(Length, "zhang", "丈", "10", "3", &["丈"]),
    unit(Length, "chi", "尺", "1", "3", &["尺", "市尺"]),
    unit(Length, "cun", "寸", "1", "30", &["寸", "市寸"]),
    // Base: kilogram.
    unit(Mass, "mg", "毫克", "1", "1000000", &["mg", "milligram", "milligrams", "毫克"]),
    unit(Mass, "g", "克", "1", "1000", &["g", "gram", "grams", "克", "公克"]),
    unit(Mass, "kg", "公斤", "1", "1", &["kg", "kgs", "kilo", "kilos", "kilogram", "kilograms", "公斤", "千克"]),
    unit(Mass, "metric tons", "吨", "1000", "1", &["tonne", "tonnes", "metric ton", "metric tons", "t", "吨", "公吨"]),
    unit(Mass, "lb", "磅", "0.45359237", "1", &["lb", "lbs", "pound", "pounds", "磅"]),
    unit(Mass, "oz", "盎司", "0.45359237", "16", &["oz", "ounce", "ounces", "盎司"]),
    unit(Mass, "stone", "英石", "6.35029318", "1", &["stone", "stones", "英石"]),
    unit(Mass, "jin", "斤", "1", "2", &["jin", "斤", "市斤"]),
    unit(Mass, "liang", "两", "1", "20", &["liang", "两", "市两"]),
    unit(Mass, "qian", "钱", "1", "200", &["钱"]),
    unit(Mass, "dan", "担", "50", "1", &["担", "市担"]),
    unit(Mass, "carats", "克拉", "1", "5000", &["carat", "carats", "ct", "克拉"]),
    // Scales, not multiples: see `temperature`.
    unit(Temperature, "°C", "摄氏度", "1", "1", &["°c", "c", "celsius", "centigrade", "degrees celsius", "degree celsius", "degrees c", "摄氏度", "摄氏"]),
    unit(Temperature, "°F", "华氏度", "1", "1", &["°f", "f", "fahrenheit", "degrees fahrenheit", "degree fahrenheit", "degrees f", "华氏度", "华氏"]),
    unit(Temperature, "K", "开尔文", "1", "1", &["k", "kelvin", "kelvins", "degrees kelvin", "开尔文", "开"]),
    // Base: litre.
    unit(Volume, "ml", "毫升", "1", "1000", &["ml", "milliliter", "milliliters", "millilitre", "millilitres", "cc", "毫升", "立方厘米", "cubic centimeters", "cubic centimeter", "cm^3"]),
    unit(Volume, "cl", "厘升", "1", "100", &["cl", "centiliter", "centiliters"]),
    unit(Volume, "L", "升", "1", "1", &["l", "liter", "liters", "litre", "litres", "升", "公升", "立方分米"]),
    unit(Volume, "m³", "立方米", "1000", "1", &["cubic meter", "cubic meters", "cubic metre", "cubic metres", "m^3", "m3", "立方米", "方水"]),
    unit(Volume, "US gallons", "美制加仑", "3.785411784", "1", &["gallon", "gallons", "gal", "us gallon", "us gallons", "加仑", "美制加仑"]),
    unit(Volume, "imperial gallons", "英制加仑", "4.54609", "1", &["imperial gallon", "imperial gallons", "uk gallon", "uk gallons", "英制加仑"]),
    unit(Volume, "US fl oz", "美制液体盎司", "3.785411784", "128", &["fl oz", "fluid ounce", "fluid ounces", "液体盎司", "液盎司"]),
    unit(Volume, "ft³", "立方英尺", "28.316846592", "1", &["cubic foot", "cubic feet", "ft^3", "立方英尺"]),
    // Base: square metre.
    unit(Area, "cm²", "平方厘米", "1", "10000", &["square centimeter", "square centimeters", "cm^2", "cm2", "平方厘米"]),
    unit(Area, "m²", "平方米", "1", "1", &["square meter", "square meters", "square metre", "square metres", "sqm", "m^2", "m2", "平方米", "平米"]),
    unit(Area, "ha", "公顷", "10000", "1", &["ha", "hectare", "hectares", "公顷"]),
    unit(Area, "km²", "平方公里", "1000000", "1", &["square kilometer", "square kilometers", "square kilometre", "square kilometres", "km^2", "km2", "平方公里", "平方千米"]),
    unit(Area, "mu", "亩", "2000", "3", &["亩", "市亩", "亩地"]),
    unit(Area, "acres", "英亩", "4046.8564224", "1", &["acre", "acres", "英亩"]),
    unit(Area, "ft²", "平方英尺", "0.09290304", "1", &["square foot", "square feet", "sq ft", "sqft", "ft^2", "平方英尺", "平方呎"]),
    unit(Area, "mi²", "平方英里", "2589988.110336", "1", &["square mile", "square miles", "平方英里"]),
    // Base: metre per second.
    unit(Speed, "m/s", "米/秒", "1", "1", &["m/s", "mps", "meters per second", "metres per second", "米/秒", "米每秒"]),
    unit(Speed, "km/h", "公里/小时", "1000", "3600", &["km/h", "kmh", "kph", "kilometers per hour", "kilometres per hour", "公里/小时", "公里每小时", "千米/小时", "千米每小时"]),
    unit(Speed, "mph", "英里/小时", "0.44704", "1", &["mph", "miles per hour", "mile per hour", "英里/小时", "英里每小时"]),
    unit(Speed, "knots", "节", "1852", "3600", &["knot", "knots", "kn", "节"]),
    // Base: byte.
    unit(Data, "bit", "比特", "1", "8", &["bit", "bits", "比特"]),
    unit(Data, "Kbit", "千比特", "125", "1", &["Kb", "kbit", "kilobit", "kilobits"]),
    unit(Data, "Mbit", "兆比特", "125000", "1", &["Mb", "mbit", "megabit", "megabits"]),
    unit(Data, "Gbit", "吉比特", "125000000", "1", &["Gb", "gbit", "gigabit", "gigabits"]),
    unit(Data, "bytes", "字节", "1", "1", &["byte", "bytes", "字节"]),
    unit(Data, "KB", "KB", "1000", "1", &["KB", "kb", "kilobyte", "kilobytes", "千字节"]),
    unit(Data, "MB", "MB", "1000000", "1", &["MB", "mb", "megabyte", "megabytes", "兆字节", "兆"]),
    unit(Data, "GB", "GB", "1000000000", "1", &["GB", "gb", "gigabyte", "gigabytes", "吉字节"]),
    unit(Data, "TB", "TB", "1000000000000", "1", &["TB", "tb", "terabyte", "terabytes"]),
    unit(Data, "PB", "PB", "1000000000000000", "1", &["PB", "pb", "petabyte", "petabytes"]),
    unit(Data, "KiB", "KiB", "1024", "1", &["KiB", "kib", "kibibyte", "kibibytes"]),
    unit(Data, "MiB", "MiB", "1048576", "1", &["MiB", "mib", "mebibyte", "mebibytes"]),
    unit(Data, "GiB", "GiB", "1073741824", "1", &["GiB", "gib", "gibibyte", "gibibytes"]),
    unit(Data, "TiB", "TiB", "1099511627776", "1", &["TiB", "tib", "tebibyte", "tebibytes"]),
    // Base: second. Months and years differ in length and are left to dates.
    unit(Time, "ms", "毫秒", "1", "1000", &["ms", "millisecond", "milliseconds", "毫秒"]),
    unit(Time, "s", "秒", "1", "1", &["s", "sec", "secs", "second", "seconds", "秒", "秒钟"]),
    unit(Time, "min", "分钟", "60", "1", &["min", "mins", "minute", "minutes", "分钟", "分"]),
    unit(Time, "h", "小时", "3600", "1", &["h", "hr", "hrs", "hour", "hours", "小时", "个小时", "钟头", "个钟头"]),
    unit(Time, "days", "天", "86400", "1", &["day", "days", "天"]),
    unit(Time, "weeks", "周", "604800", "1", &["week", "weeks", "周", "个星期", "星期"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_belongs_to_two_units() {
        let mut names: Vec<&str> = UNITS.iter().flat_map(|unit| unit.names.iter().copied()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn factors_are_numbers_and_names_are_found_without_case() {
        for unit in UNITS {
            for factor in [unit.times, unit.over] {
                assert!(
                    factor.parse::<f64>().is_ok_and(|factor| factor > 0.0),
                    "{}",
                    unit.english
                );
            }
            let in_lower_case = unit
                .names
                .iter()
                .any(|name| !name.chars().any(char::is_uppercase));
            assert!(in_lower_case, "{} can't be found in lower case", unit.english);
        }
    }
}
