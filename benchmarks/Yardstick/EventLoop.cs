using System.Diagnostics;
using System.Net.Sockets;

namespace Yardstick;

/// <summary>One thread that owns the receive side of all its connections.</summary>
internal sealed unsafe class EventLoop
{
    private const int Capacity = 256;

    // Waking up from a sleep takes tens of microseconds, so the loop polls a little before it sleeps.
    private const long PollNanoseconds = 20_000;

    private readonly int _epoll = Libc.epoll_create1(0);
    private readonly Lock _gate = new(); // guards the list
    private readonly List<Connection> _connections = [];

    public EventLoop() => new Thread(Run) { IsBackground = true, Name = "event loop" }.Start();

    /// <summary>Takes over a connected socket.</summary>
    public void Add(Connection connection)
    {
        // From linux/tcp.h: TCP_CONGESTION. The choice of many systems, bbr, paces what goes over loopback.
        connection.Socket.SetRawSocketOption((int)SocketOptionLevel.Tcp, 13, "reno"u8);
        connection.Socket.NoDelay = true;
        int index;
        lock (_gate)
        {
            index = _connections.Count;
            _connections.Add(connection);
        }

        Register(Libc.AddToEpoll, connection, index);
    }

    private void Run()
    {
        var ready = stackalloc Libc.EpollEvent[Capacity];
        while (true)
        {
            int count = Wait(ready);
            for (int i = 0; i < count; i++)
            {
                int index = (int)ready[i].Data;
                var connection = Find(index);
                if (!connection.TakeTurn()) Register(Libc.RemoveFromEpoll, connection, index);
            }
        }
    }

    private int Wait(Libc.EpollEvent* ready)
    {
        long start = Stopwatch.GetTimestamp();
        do
        {
            int count = Libc.epoll_wait(_epoll, ready, Capacity, 0);
            if (count > 0) return count;
        }
        while (Stopwatch.GetTimestamp() - start < PollNanoseconds);

        return Libc.epoll_wait(_epoll, ready, Capacity, -1);
    }

    private void Register(int operation, Connection connection, int index)
    {
        var interest = new Libc.EpollEvent { Events = Libc.Readable, Data = (ulong)index };
        if (Libc.epoll_ctl(_epoll, operation, connection.Handle, &interest) != 0) throw new IOException("epoll_ctl failed.");
    }

    private Connection Find(int index)
    {
        lock (_gate) return _connections[index];
    }
}
