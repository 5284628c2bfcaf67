//! Values across the border: interpreter objects to packed JSON and back.

use crate::failure::cut;
use monty_types::unstable::{self, MontyNode};
use monty_types::{MontyObject, ObjectRef};
use num_bigint::BigInt;
use shidi_executor_proto::{Item, MAX_DEPTH, Malformed, Packed, Packer, Reader};

/// Characters shown of a value that does not fit.
const LONGEST_TEXT: usize = 80;

/// Packs an object the way Python's `json` would write it; sets and dates too, since no call can take them otherwise.
///
/// # Errors
/// Names the type that has no JSON form.
pub fn pack(object: ObjectRef<'_>) -> Result<Packed, String> {
    let mut packer = Packer::default();
    write(object, &mut packer, 0)?;
    Ok(packer.finish())
}

/// The interpreter object of a packed value.
///
/// # Errors
/// When the bytes are no value or nest too deeply.
pub fn unpack(packed: &Packed) -> Result<MontyObject, Malformed> {
    let mut reader = packed.reader();
    let object = read(&mut reader, 0)?;
    if reader.finished() {
        Ok(object)
    } else {
        Err(Malformed("bytes follow a value"))
    }
}

fn write(object: ObjectRef<'_>, packer: &mut Packer, depth: usize) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!("it nests deeper than {MAX_DEPTH} levels"));
    }
    let children = |ids: &[monty_types::unstable::NodeId], packer: &mut Packer| {
        packer.item(Item::List(ids.len()));
        ids.iter()
            .try_for_each(|&id| write(unstable::child(object, id), packer, depth + 1))
    };
    match unstable::node(object) {
        MontyNode::None => packer.item(Item::Null),
        MontyNode::Bool(value) => packer.item(Item::Boolean(*value)),
        MontyNode::Int(value) => packer.item(Item::Integer(*value)),
        MontyNode::BigInt(value) => {
            packer
                .item(Item::Unsigned(u64::try_from(value).map_err(|_| {
                    "an int of more than 64 bits has no JSON form".to_owned()
                })?))
        }
        MontyNode::Float(value) if value.is_finite() => packer.item(Item::Number(*value)),
        MontyNode::Float(value) => return Err(format!("the float {value} has no JSON form")),
        MontyNode::String(text) | MontyNode::Path(text) => packer.item(Item::Text(text)),
        MontyNode::Date(_) | MontyNode::DateTime(_) | MontyNode::Time(_) | MontyNode::Decimal(_) => {
            packer.item(Item::Text(&plain_text(object)));
        }
        MontyNode::List(ids) | MontyNode::Tuple(ids) | MontyNode::Set(ids) | MontyNode::FrozenSet(ids) => {
            children(ids, packer)?;
        }
        MontyNode::NamedTuple { values, .. } => children(values, packer)?,
        MontyNode::Dict(pairs) => {
            packer.item(Item::Dict(pairs.len()));
            for &(key, value) in pairs {
                packer.item(Item::Text(&key_text(unstable::child(object, key))?));
                write(unstable::child(object, value), packer, depth + 1)?;
            }
        }
        MontyNode::Repr(text) => return Err(format!("{} has no JSON form", cut(text, LONGEST_TEXT))),
        _ => return Err(format!("a {} has no JSON form", object.type_name())),
    }
    Ok(())
}

/// The key of a dict as Python's `json` writes it.
fn key_text(key: ObjectRef<'_>) -> Result<String, String> {
    Ok(match unstable::node(key) {
        MontyNode::String(text) => text.clone(),
        MontyNode::Int(value) => value.to_string(),
        MontyNode::Bool(value) => value.to_string(),
        MontyNode::None => "null".to_owned(),
        MontyNode::Float(value) if value.is_finite() => key.py_repr(),
        _ => {
            return Err(format!(
                "a dict with a {} as key has no JSON form",
                key.type_name()
            ));
        }
    })
}

/// ISO form of dates and times, digits of decimals.
fn plain_text(object: ObjectRef<'_>) -> String {
    match unstable::node(object) {
        MontyNode::Decimal(digits) => digits.clone(),
        MontyNode::Date(date) => format!("{:04}-{:02}-{:02}", date.year, date.month, date.day),
        MontyNode::Time(time) => {
            format!(
                "{:02}:{:02}:{:02}{}",
                time.hour,
                time.minute,
                time.second,
                fraction(time.microsecond)
            )
        }
        MontyNode::DateTime(moment) => format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{}",
            moment.year,
            moment.month,
            moment.day,
            moment.hour,
            moment.minute,
            moment.second,
            fraction(moment.microsecond),
            moment.offset_seconds.map_or_else(String::new, offset)
        ),
        _ => object.py_repr(),
    }
}

fn fraction(microsecond: u32) -> String {
    if microsecond == 0 {
        String::new()
    } else {
        format!(".{microsecond:06}")
    }
}

fn offset(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.unsigned_abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

fn read(reader: &mut Reader<'_>, depth: usize) -> Result<MontyObject, Malformed> {
    if depth > MAX_DEPTH {
        return Err(Malformed("a value nests too deeply"));
    }
    Ok(match reader.item()? {
        Item::Null => MontyObject::none(),
        Item::Boolean(value) => MontyObject::bool(value),
        Item::Integer(value) => MontyObject::int(value),
        Item::Unsigned(value) => MontyObject::bigint(BigInt::from(value)),
        Item::Number(value) => MontyObject::float(value),
        Item::Text(text) => MontyObject::string(text),
        Item::List(count) => MontyObject::list(
            (0..count)
                .map(|_| read(reader, depth + 1))
                .collect::<Result<Vec<_>, _>>()?,
        ),
        Item::Dict(count) => {
            let mut pairs = Vec::with_capacity(count);
            for _ in 0..count {
                let Item::Text(key) = reader.item()? else {
                    return Err(Malformed("a key is not a text"));
                };
                pairs.push((MontyObject::string(key), read(reader, depth + 1)?));
            }
            MontyObject::dict(pairs)
        }
    })
}
