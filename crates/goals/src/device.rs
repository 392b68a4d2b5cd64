//! What a run read of device registers and of other volatile objects, and wrote to them: a part of a test.

use serde::{Deserialize, Serialize};

use crate::place::Root;

/// An access to what somebody else may change. What is read is an input of the run, what is written a part of what it did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeviceAccess {
    /// Where it is.
    #[serde(flatten)]
    pub at: Register,
    /// In bytes, at most 8.
    pub size: u32,
    /// Which way.
    #[serde(flatten)]
    pub access: Access,
}

/// Where somebody else may change something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Register {
    /// A register of a device.
    Device {
        /// Its address, in hexadecimal.
        #[serde(with = "hexadecimal")]
        address: u64,
    },
    /// A volatile variable, or a volatile part of an input object.
    Object {
        /// Which one.
        root: Root,
        /// Bytes from the start of it.
        offset: u64,
        /// How the source would name it, for people.
        name: String,
    },
}

impl std::fmt::Display for Register {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Register::Device { address } => write!(f, "device {address:#x}"),
            Register::Object { name, .. } => write!(f, "volatile {name}"),
        }
    }
}

/// What is done to a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// From here on the code accesses these bytes as if they were not volatile, and nobody else changes them.
    Plain(bool),
    /// The code reads this.
    Read(#[serde(with = "hexadecimal")] u64),
    /// The code writes this; `None`: C leaves open what.
    Write(#[serde(with = "hexadecimal::option")] Option<u64>),
}

impl DeviceAccess {
    /// Whether it is the same but for what is written.
    pub fn is_like(&self, other: &DeviceAccess) -> bool {
        let same = match (self.access, other.access) {
            (Access::Read(a), Access::Read(b)) => a == b,
            (Access::Plain(a), Access::Plain(b)) => a == b,
            (Access::Write(_), Access::Write(_)) => true,
            _ => false,
        };
        same && self.at == other.at && self.size == other.size
    }
}

/// Whether two runs did the same but for what they wrote.
pub fn are_like(one: &[DeviceAccess], other: &[DeviceAccess]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.is_like(b))
}

/// Only what another run writes, too, is expected of anybody.
pub fn keep_what_agrees(accesses: &mut [DeviceAccess], other: Option<&[DeviceAccess]>) {
    for (number, access) in accesses.iter_mut().enumerate() {
        let agrees = other.and_then(|other| other.get(number)).is_some_and(|other| *other == *access);
        if let Access::Write(value) = &mut access.access
            && !agrees
        {
            *value = None;
        }
    }
}

/// Numbers as people write addresses.
mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{number:#x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        read(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }

    fn read(text: &str) -> Result<u64, String> {
        let digits = text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        digits.ok_or_else(|| format!("`{text}` is not a hexadecimal number such as 0x40"))
    }

    pub(super) mod option {
        use super::*;

        pub(in super::super) fn serialize<S: Serializer>(number: &Option<u64>, s: S) -> Result<S::Ok, S::Error> {
            match number {
                Some(number) => super::serialize(number, s),
                None => s.serialize_none(),
            }
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<u64>, D::Error> {
            let text = Option::<String>::deserialize(d)?;
            text.map(|text| read(&text).map_err(D::Error::custom)).transpose()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: u64, access: Access) -> DeviceAccess {
        DeviceAccess { at: Register::Device { address }, size: 4, access }
    }

    #[test]
    fn accesses_are_read_as_they_were_written() {
        let all =
            [at(0x4000_1000, Access::Read(0x80)), at(0x10, Access::Write(Some(u64::MAX))), at(1, Access::Write(None))];
        let text = serde_json::to_string(&all).unwrap();
        assert!(text.starts_with(r#"[{"address":"0x40001000","size":4,"read":"0x80"},"#), "{text}");
        assert_eq!(serde_json::from_str::<Vec<DeviceAccess>>(&text).unwrap(), all);
        assert!(serde_json::from_str::<DeviceAccess>(r#"{"address":"12","size":4,"read":"0x1"}"#).is_err());
        let object = Register::Object { root: Root::Global("flag".to_owned()), offset: 2, name: "flag[1]".to_owned() };
        let all =
            [Access::Read(1), Access::Plain(true)].map(|access| DeviceAccess { at: object.clone(), size: 2, access });
        let text = serde_json::to_string(&all).unwrap();
        assert!(
            text.starts_with(r#"[{"root":{"global":"flag"},"offset":2,"name":"flag[1]","size":2,"read":"0x1"},"#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Vec<DeviceAccess>>(&text).unwrap(), all);
    }

    #[test]
    fn what_differs_elsewhere_is_not_expected() {
        let here = [at(1, Access::Read(7)), at(2, Access::Write(Some(3))), at(3, Access::Write(Some(4)))];
        let mut there = here.clone();
        there[2].access = Access::Write(Some(5));
        assert!(are_like(&here, &there) && !are_like(&here, &there[1..]));
        let mut kept = here.clone();
        keep_what_agrees(&mut kept, Some(&there));
        assert_eq!(kept, [here[0].clone(), here[1].clone(), at(3, Access::Write(None))]);
        keep_what_agrees(&mut kept, None);
        assert_eq!(kept[1].access, Access::Write(None));
    }
}
