//! The address space: slots, and where objects come to lie in them.

use covenant_program::ir::Target;

use super::Place;
use crate::given::Device;

/// Slots below this one belong to nobody: a null pointer plus any field offset lands there.
const FIRST_SLOT: u64 = 16; // not tuning: an address
/// Slots that are left out elsewhere, so that no byte of an address stays the same.
const SHIFT_ELSEWHERE: u64 = 0x1357; // not tuning: an address
/// Two numbers that scatter bits: from one object to another it is not as far elsewhere, so that an index that happens to lead there
/// leads nowhere.
const SPREAD: u32 = 0x9E37_79B1; // not tuning: an address
const SPREAD_ELSEWHERE: u32 = 0x85EB_CA6B; // not tuning: an address
/// How many live slots there can be; memory limits strike long before.
const MAX_SLOTS: u64 = 1 << 31; // not tuning: memory

/// How addresses are cut into slots. Every object begins near the middle of a slot of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Space {
    bits: u32,
    first: u32,
    end: u32,
    /// Spreads objects in their slots.
    spread: u32,
}

impl Space {
    /// Slots of 16 MiB, or of 16 KiB where addresses have 32 bits. Objects come behind all devices, which are at addresses of their
    /// own; with 32 bits they come where these leave most room.
    pub(crate) fn new(target: Target, place: Place, devices: &[Device]) -> Space {
        let wide = target.pointer_size() > 4;
        let bits = if wide { 24 } else { 14 };
        let mut taken: Vec<(u64, u64)> =
            devices.iter().map(|device| (device.start >> bits, (device.end() >> bits) + 1)).collect();
        taken.sort_unstable();
        let last = if wide { MAX_SLOTS } else { 1 << (32 - bits) };
        let mut gaps = Vec::new();
        let mut from = FIRST_SLOT;
        for (start, end) in taken {
            gaps.push((from, start.min(last)));
            from = from.max(end);
        }
        gaps.push((from.min(last), last));
        let behind = gaps.last().copied();
        let widest = gaps.into_iter().rev().max_by_key(|(from, to)| to.saturating_sub(*from));
        let (from, to) = if wide { behind } else { widest }.unwrap_or((FIRST_SLOT, last));
        let (first, spread) = match place {
            Place::Here => (from, SPREAD),
            Place::Elsewhere => (from + SHIFT_ELSEWHERE, SPREAD_ELSEWHERE),
        };
        Space { bits, first: first as u32, end: to as u32, spread }
    }

    /// The slot of the first object.
    pub(super) fn first(self) -> u32 {
        self.first
    }

    /// The slot behind the last one.
    pub(super) fn end(self) -> usize {
        self.end as usize
    }

    /// The slot in which an address lies.
    #[inline(always)]
    pub(crate) fn slot(self, address: u64) -> u64 {
        address >> self.bits
    }

    fn size(self) -> u64 {
        1 << self.bits
    }

    /// Slots behind its first that an object of this size needs.
    pub(super) fn extra(self, size: u64) -> usize {
        let room = self.size() / 4;
        size.saturating_sub(room).div_ceil(self.size()) as usize
    }

    /// Where the object of a slot begins: near the middle, but not all at round addresses: programs that hash pointers would see only
    /// collisions.
    pub(super) fn start(self, slot: u32, align: u64) -> u64 {
        let align = align.max(16).next_power_of_two();
        let spread = u64::from(slot.wrapping_mul(self.spread)) & (self.size() / 4 - 1);
        (u64::from(slot) << self.bits) + self.size() / 2 + (spread & !(align - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(start: u64, size: u64) -> Device {
        Device { start, size }
    }

    #[test]
    fn objects_lie_behind_devices_or_between_them() {
        let wide = Space::new(Target::X86_64, Place::Here, &[device(0x4000_0000, 0x1000)]);
        assert!(wide.start(wide.first(), 16) > 0x4000_1000);
        let devices = [device(0xE000_E000, 0x1000), device(0x4000_0000, 0x1000)];
        let narrow = Space::new(Target::I386, Place::Here, &devices);
        let (first, end) = (narrow.start(narrow.first(), 16), (narrow.end() as u64) << 14);
        assert!(first > 0x4000_1000 && end <= 0xE000_E000, "{first:#x} {end:#x}");
    }

    #[test]
    fn objects_are_not_as_far_apart_elsewhere() {
        for (target, most) in [(Target::X86_64, 0), (Target::I386, 20)] {
            let (here, there) = (Space::new(target, Place::Here, &[]), Space::new(target, Place::Elsewhere, &[]));
            let pairs = (0..40).flat_map(|one| (one + 1..40).map(move |other| (one, other)));
            let alike = |&(one, other): &(u32, u32)| {
                let distance = |space: Space| {
                    let start = |number: u32| space.start(space.first() + number, 16);
                    start(other).wrapping_sub(start(one)) as i64
                };
                distance(here).abs_diff(distance(there)) < 16
            };
            // Narrow slots have no room for more.
            assert!(pairs.filter(alike).count() <= most, "{target:?}");
        }
    }

    #[test]
    fn narrow_addresses_have_32_bits() {
        let space = Space::new(Target::I386, Place::Elsewhere, &[]);
        assert!(space.start(space.end() as u32 - 1, 4096) < 1 << 32);
        assert_eq!(space.slot(space.start(77, 16)), 77);
    }
}
