//! How the protocol's types stand in columns: enums as their serde name, structures as JSON text.
//!
//! This file knows no table. A value that does not read back is an error of the row, never a default.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::de::value::{Error as NameError, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Serialize};

/// The text that takes the place of an erased one.
pub(crate) const ERASED: &str = "…";

/// A structure, as JSON text.
pub(crate) struct Json<T>(pub T);

/// An enum without fields, as the name that serde gives its variant.
pub(crate) struct Named<T>(pub T);

/// Milliseconds and sizes: SQLite's integers are signed, and what exceeds them (292 million years) is cut.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The reverse of [`signed`].
pub(crate) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

impl<T: Serialize> ToSql for Json<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match serde_json::to_string(&self.0) {
            Ok(text) => Ok(ToSqlOutput::from(text)),
            Err(error) => Err(rusqlite::Error::ToSqlConversionFailure(Box::new(error))),
        }
    }
}

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?)
            .map(Self)
            .map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

impl<T: Serialize> ToSql for Named<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match serde_json::to_value(&self.0) {
            Ok(serde_json::Value::String(name)) => Ok(ToSqlOutput::from(name)),
            Ok(other) => Err(rusqlite::Error::ToSqlConversionFailure(
                format!("{other} is no name").into(),
            )),
            Err(error) => Err(rusqlite::Error::ToSqlConversionFailure(Box::new(error))),
        }
    }
}

impl<T> FromSql for Named<T>
where
    T: for<'name> Deserialize<'name>,
{
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name: StrDeserializer<'_, NameError> = value.as_str()?.into_deserializer();
        T::deserialize(name)
            .map(Self)
            .map_err(|error| FromSqlError::Other(error.to_string().into()))
    }
}
