//! Callbacks in a struct that the caller fills, with state that they may change.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "callback-struct", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    params: "struct device *device",
    args: "own_device",
    ways: 20,
    setup: "own_device = way == 0 ? 0 : &a_device; a_device.read = way == 1 ? 0 : way & 1 ? device_read : device_same; a_device.write = \
            way == 2 ? 0 : device_write; a_device.state = (signed char)(way * 13); device_way = way;",
    text: "static unsigned device_way;
static int device_read(struct device *d) { return d->state++; }
static int device_same(struct device *d) { return (int)device_way - 5; }
static void device_write(struct device *d, int x)
{
  if (device_way & 4)
    d->state = (signed char)x;
  if (device_way & 8)
    d->read = device_way & 2 ? device_same : 0;
}
static struct device a_device, *own_device;
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "struct device { int (*read)(struct device *); void (*write)(struct device *, int); signed char state; };
static int polled(struct device *d, int most)
{
  int n = 0;
  while (n < most && d->read(d) > 0)
    n++;
  return n;
}
";
}

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    if w.random.percent(70) {
        let check =
            w.random.pick(&["!device", "!device || !device->read", "!device || !device->read || !device->write"]);
        w.line(&format!("if ({check})"));
        w.line("  return 28;");
    }
    match w.random.below(4) {
        0 => w.observe("device->read(device)"),
        1 => w.observe(&format!("polled(device, ({x}) & 3)")),
        2 => {
            w.line("if (device->write)");
            w.line(&format!("  device->write(device, (short)({x}));"));
            w.line("if (!device->read)");
            w.line("  return 29;");
            w.observe("device->state");
        }
        _ => {
            w.line(&format!("device->state = (signed char)({x});"));
            w.line("device->read(device);");
            w.line(&format!("if (device->state != (signed char)({x}) && ({y}) > 0)"));
            w.line("  return 30;");
        }
    }
}
