// Memory and queues that outlive a process or are shared with others.
// case: named_memory exit 0|1 says `shm_open`
// case: numbered_memory exit 0|1 says `shmget`
// case: named_queue exit 0|1 says `mq_open`
// case: numbered_queue exit 0|1 says `msgget`
// case: named_semaphore exit 0|1 says `sem_open`
// case: mapped_file exit 0|1
// case: anonymous_mapping exit 0|1 says `mmap`
// case: file_in_memory exit 0|1
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <unistd.h>

int named_memory(int x)
{
    if (x == 1)
        return shm_open("/covenant-hostile", O_CREAT | O_RDWR, 0666);
    return 0;
}

int numbered_memory(int x)
{
    if (x == 1)
        return shmget(0x434f5645, 4096, IPC_CREAT | 0666);
    return 0;
}

int named_queue(int x)
{
    if (x == 1)
        return mq_open("/covenant-hostile", O_CREAT | O_RDWR, 0666, NULL);
    return 0;
}

int numbered_queue(int x)
{
    if (x == 1)
        return msgget(0x434f5645, IPC_CREAT | 0666);
    return 0;
}

int named_semaphore(int x)
{
    if (x == 1)
        return sem_open("/covenant-hostile", O_CREAT, 0666, 1) != NULL;
    return 0;
}

int mapped_file(int x)
{
    if (x != 1)
        return 0;
    int fd = open(CANARY, O_RDWR);
    if (fd < 0)
        return 1;
    char *bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    bytes[0] = 'X';
    return 2;
}

int anonymous_mapping(int x)
{
    if (x == 1)
        return mmap(NULL, 1UL << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
    return 0;
}

int file_in_memory(int x)
{
    if (x != 1)
        return 0;
    FILE *file = fopen("/dev/shm/covenant-hostile", "w");
    return file == NULL ? 1 : fclose(file);
}
