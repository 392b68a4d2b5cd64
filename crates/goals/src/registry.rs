//! How criteria, suite formats and strategies are listed: one line each.

/// A registry: the files of a folder that have a `PROFILE`, each with its name, as an enum. The name in kebab case is what users
/// write.
///
/// Who uses it has a type `Profile` in scope. The order is that of the registry.
#[macro_export]
macro_rules! registry {
    ($(#[$about:meta])* enum $kind:ident in $folder:literal { $($visibility:vis $module:ident: $name:ident,)* }) => {
        $($visibility mod $module;)*

        $(#[$about])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::Display, strum::EnumIter, strum::EnumString,
            strum::IntoStaticStr,
        )]
        #[strum(serialize_all = "kebab-case")]
        pub enum $kind {
            $(#[doc = concat!("See `", $folder, "/", stringify!($module), "`.")] $name,)*
        }

        impl $kind {
            /// Its name on the command line and in files.
            pub fn name(self) -> &'static str {
                self.into()
            }

            fn profile(self) -> &'static Profile {
                match self {
                    $($kind::$name => &$module::PROFILE,)*
                }
            }
        }
    };
}
