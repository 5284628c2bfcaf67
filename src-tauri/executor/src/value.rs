//! JSON to packed values and back.

use serde_json::{Map, Number, Value};
use shidi_executor_proto::{Item, MAX_DEPTH, Malformed, Packed, Packer, Reader};

/// Packs a JSON value. Numbers beyond 64 bits do not occur: `serde_json` reads them as floats.
pub fn pack(value: &Value) -> Packed {
    let mut packer = Packer::default();
    write(value, &mut packer);
    packer.finish()
}

/// The JSON of a value that a worker packed.
///
/// # Errors
/// When the bytes are no value, nest too deeply or hold too many items.
pub fn unpack(packed: &Packed) -> Result<Value, Malformed> {
    let mut reader = packed.reader();
    let value = read(&mut reader, 0)?;
    if reader.finished() {
        Ok(value)
    } else {
        Err(Malformed("bytes follow a value"))
    }
}

fn write(value: &Value, packer: &mut Packer) {
    match value {
        Value::Null => packer.item(Item::Null),
        Value::Bool(value) => packer.item(Item::Boolean(*value)),
        Value::Number(number) => packer.item(number_item(number)),
        Value::String(text) => packer.item(Item::Text(text)),
        Value::Array(items) => {
            packer.item(Item::List(items.len()));
            items.iter().for_each(|item| write(item, packer));
        }
        Value::Object(pairs) => {
            packer.item(Item::Dict(pairs.len()));
            for (key, value) in pairs {
                packer.item(Item::Text(key));
                write(value, packer);
            }
        }
    }
}

fn number_item(number: &Number) -> Item<'static> {
    if let Some(value) = number.as_i64() {
        Item::Integer(value)
    } else if let Some(value) = number.as_u64() {
        Item::Unsigned(value)
    } else {
        number.as_f64().map_or(Item::Null, Item::Number)
    }
}

fn read(reader: &mut Reader<'_>, depth: usize) -> Result<Value, Malformed> {
    if depth > MAX_DEPTH {
        return Err(Malformed("a value nests too deeply"));
    }
    Ok(match reader.item()? {
        Item::Null => Value::Null,
        Item::Boolean(value) => Value::Bool(value),
        Item::Integer(value) => Value::from(value),
        Item::Unsigned(value) => Value::from(value),
        Item::Number(value) => Number::from_f64(value)
            .map(Value::Number)
            .ok_or(Malformed("a number is not finite"))?,
        Item::Text(text) => Value::String(text.to_owned()),
        Item::List(count) => Value::Array(
            (0..count)
                .map(|_| read(reader, depth + 1))
                .collect::<Result<_, _>>()?,
        ),
        Item::Dict(count) => {
            let mut pairs = Map::new();
            for _ in 0..count {
                let Item::Text(key) = reader.item()? else {
                    return Err(Malformed("a key is not a text"));
                };
                pairs.insert(key.to_owned(), read(reader, depth + 1)?);
            }
            Value::Object(pairs)
        }
    })
}

#[cfg(test)]
mod tests;
