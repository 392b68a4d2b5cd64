/* The byte order of machines whose highest byte comes first, in the place of this machine's own header. */
#ifndef _BITS_ENDIANNESS_H
#define _BITS_ENDIANNESS_H 1
#define __BYTE_ORDER __BIG_ENDIAN
#endif
