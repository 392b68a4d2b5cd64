/* Which functions of the C library only fail: none that a program asks for by a macro. */
