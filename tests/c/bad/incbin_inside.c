int main(void)
{
    __asm__ volatile(".pushsection .rodata\n.incbin \"/etc/hostname\"\n.popsection");
    return 0;
}
