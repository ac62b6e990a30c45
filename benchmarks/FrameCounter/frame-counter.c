/* Receivers that cost next to nothing: one thread on one epoll that counts what a server sends to its connections. So the server is what is measured.

   gcc -O2 -o frame-counter frame-counter.c
   ./frame-counter PORT CONNECTIONS mux|websocket read|answer|stuck ITEM

   The first line of the standard input is what each connection sends first, in hexadecimal digits. "ready" is printed when the server has answered to all of them.
   Each further line is answered by one of totals: items, bytes of WebSocket payloads, its own processor time in microseconds; and of the items that all connections got since
   the last answer: their number, and the median, p99 and longest time in milliseconds until the last connection had one.

   An item of mux is a frame of at least ITEM bytes; its last ITEM bytes begin with the CLOCK_MONOTONIC nanoseconds of when it was published. WebSockets are counted by bytes,
   because a server may put several messages into one frame. With "answer", each request of mux is answered at once, by 8 bytes. "stuck" connections have a small receive buffer and are never read. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST = 0x08, RESPONSE = 0x10, BATCH = 256, HELD = 1024, BUFFER = 1 << 18, ARRIVALS = 1 << 12, MOST_TIMES = 1 << 16 };

struct connection { int handle, held, is_open; uint64_t skip, items; unsigned char rest[HELD]; };
struct arrival { int64_t made; int count; };

static struct connection *connections;
static struct arrival arrivals[ARRIVALS]; /* by the number of the item */
static double times[MOST_TIMES];
static int connection_count, item_length, is_websocket, is_answering, answer_length, time_count;
static uint64_t items, payload;
static unsigned char buffer[HELD + BUFFER], answers[HELD + BUFFER];

static int checked(int result, const char *what)
{
    if (result >= 0) return result;
    perror(what);
    exit(1);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* The connections get the same items in the same order, so the count of a connection is the number of its item. */
static void note(struct connection *connection, const unsigned char *item, int64_t at)
{
    int64_t made;
    memcpy(&made, item, sizeof made);
    struct arrival *arrival = &arrivals[connection->items++ % ARRIVALS];
    if (arrival->made != made) *arrival = (struct arrival){ .made = made };
    if (++arrival->count == connection_count && time_count < MOST_TIMES) times[time_count++] = (at - made) / 1e6;
}

/* Returns the length of the next piece that is whole, 0 if its rest has not come. What is skipped needs not be whole. */
static uint64_t take(struct connection *connection, const unsigned char *at, long length, int64_t time)
{
    if (!is_websocket)
    {
        if (length < 8) return 0;
        if (!connection->is_open) return connection->is_open = 1, 8; /* the preface */
        long frame = 8 + (at[0] | at[1] << 8 | at[2] << 16);
        if (frame > HELD) return connection->skip = frame;
        if (frame > length) return 0;
        if (is_answering && at[3] == REQUEST)
        {
            const unsigned char response[8] = { 0, 0, 0, RESPONSE, at[4], at[5], at[6], at[7] };
            memcpy(answers + answer_length, response, sizeof response);
            answer_length += sizeof response;
        }

        if (frame >= 8 + item_length && (at[4] | at[5] | at[6] | at[7]) != 0) /* of a call, and not of the connection */
        {
            items++;
            note(connection, at + frame - item_length, time);
        }

        return frame;
    }

    if (!connection->is_open)
    {
        const unsigned char *end = memmem(at, length, "\r\n\r\n", 4);
        if (end == NULL) return 0;
        connection->is_open = 1;
        return end + 4 - at;
    }

    int kind = length < 2 ? 0 : at[1] & 127, header = kind < 126 ? 2 : kind == 126 ? 4 : 10;
    if (length < header) return 0;
    uint64_t body = kind;
    if (kind > 125) body = 0;
    for (int i = 2; i < header; i++) body = body << 8 | at[i];
    payload += body;
    return connection->skip = header + body;
}

/* Returns false at the end of the stream. */
static int receive(struct connection *connection)
{
    memcpy(buffer, connection->rest, connection->held);
    ssize_t count = recv(connection->handle, buffer + connection->held, BUFFER, MSG_DONTWAIT);
    if (count <= 0) return count < 0 && errno == EAGAIN;
    int64_t time = now();
    const unsigned char *at = buffer, *end = buffer + connection->held + count;
    while (at < end)
    {
        if (connection->skip == 0)
        {
            uint64_t whole = take(connection, at, end - at, time);
            if (whole == 0) break;
            if (connection->skip == 0)
            {
                at += whole;
                continue;
            }
        }

        uint64_t skipped = connection->skip < (uint64_t)(end - at) ? connection->skip : (uint64_t)(end - at);
        connection->skip -= skipped;
        at += skipped;
    }

    connection->held = end - at;
    if (connection->held > HELD)
    {
        fprintf(stderr, "%d bytes are no frame.\n", connection->held);
        exit(1);
    }

    memcpy(connection->rest, at, connection->held);
    if (answer_length > 0) checked(send(connection->handle, answers, answer_length, MSG_NOSIGNAL), "send");
    answer_length = 0;
    return 1;
}

/* Waits for the answer: a server lets an address have only so many handshakes open. */
static int open_connection(int port, int is_stuck, const unsigned char *hello, int length)
{
    int handle = checked(socket(AF_INET, SOCK_STREAM, 0), "socket"), on = 1, small = 4096;
    setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(handle, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
    if (is_stuck) setsockopt(handle, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    checked(connect(handle, (struct sockaddr *)&address, sizeof address), "connect");
    checked(send(handle, hello, length, MSG_NOSIGNAL), "send");
    unsigned char first;
    if (checked(recv(handle, &first, 1, MSG_PEEK), "recv") == 0)
    {
        fprintf(stderr, "The server has closed a connection.\n");
        exit(1);
    }

    return handle;
}

static int by_value(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return difference < 0 ? -1 : difference > 0;
}

static void answer(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double processor = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    qsort(times, time_count, sizeof *times, by_value);
    double median = time_count ? times[time_count / 2] : 0, p99 = time_count ? times[(99 * time_count + 99) / 100 - 1] : 0, longest = time_count ? times[time_count - 1] : 0;
    printf("%llu %llu %.0f %d %.3f %.3f %.3f\n", (unsigned long long)items, (unsigned long long)payload, processor, time_count, median, p99, longest);
    fflush(stdout);
    time_count = 0;
}

int main(int count, char **arguments)
{
    if (count != 6) return 2;
    int port = atoi(arguments[1]), is_stuck = strcmp(arguments[4], "stuck") == 0, length = 0;
    connection_count = atoi(arguments[2]), is_websocket = strcmp(arguments[3], "websocket") == 0, is_answering = strcmp(arguments[4], "answer") == 0, item_length = atoi(arguments[5]);
    unsigned char hello[4096];
    for (int digits; length < (int)sizeof hello && (digits = getchar()) != '\n' && digits != EOF; length++)
    {
        char pair[3] = { digits, getchar(), 0 };
        hello[length] = strtol(pair, NULL, 16);
    }

    connections = calloc(connection_count, sizeof *connections);
    int epoll = checked(epoll_create1(0), "epoll_create1");
    struct epoll_event wanted = { .events = EPOLLIN }, ready[BATCH];
    for (int i = 0; i < connection_count; i++)
    {
        connections[i].handle = open_connection(port, is_stuck, hello, length);
        wanted.data.ptr = &connections[i];
        if (!is_stuck) checked(epoll_ctl(epoll, EPOLL_CTL_ADD, connections[i].handle, &wanted), "epoll_ctl");
    }

    printf("ready\n");
    fflush(stdout);
    wanted.data.ptr = NULL;
    checked(epoll_ctl(epoll, EPOLL_CTL_ADD, STDIN_FILENO, &wanted), "epoll_ctl");
    while (1)
    {
        int events = epoll_wait(epoll, ready, BATCH, -1);
        if (events < 0 && errno != EINTR) checked(events, "epoll_wait");
        for (int i = 0; i < events; i++)
        {
            struct connection *connection = ready[i].data.ptr;
            char line[64];
            if (connection == NULL)
            {
                if (read(STDIN_FILENO, line, sizeof line) <= 0) return 0;
                answer();
            }
            else if (!receive(connection))
            {
                fprintf(stderr, "A connection has ended.\n");
                return 1;
            }
        }
    }
}
