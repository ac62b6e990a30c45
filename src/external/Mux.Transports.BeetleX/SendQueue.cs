using System.Net.Sockets;
using PinnedBuffer = BeetleX.Buffers.Buffer;

namespace Mux.Transports.BeetleX;

/// <summary>
/// The sending side of one link: copies bytes into buffers and gives those to BeetleX, which would take any number of them. Here they are four, so that a peer
/// that does not read stops its sender.
/// </summary>
internal sealed class SendQueue(BeetleXLink link, IPort port) : IThreadPoolWorkItem
{
    // One is being sent, one waits so that the next send begins at once, and a sender that finds the queue full can go on with half of it empty.
    private const int Buffers = 4;

    // _state: the number of buffers that are BeetleX's, and these bits.
    private const int CountMask = 0xff;
    private const int WritableOwed = 0x100;
    private const int ShutdownOwed = 0x200;

    // A ring: BeetleX sends and completes in the order in which it was given them, so when one is free it is the oldest.
    private readonly PinnedBuffer?[] _ring = new PinnedBuffer?[Buffers];
    private int _next;

    // Buffers that wait for the work item to give them to BeetleX, and where in the ring they begin.
    private int _relayed;
    private int _relayFrom;

    // What Send and Shutdown (any thread, but one at a time) share with BeetleX's completions.
    private int _state;

    /// <inheritdoc cref="Link.Send"/>
    public int Send(ReadOnlySpan<byte> bytes)
    {
        int accepted = 0;
        while (accepted < bytes.Length)
        {
            if (link.IsOver) return bytes.Length;
            if (!TryTake()) break;
            int place = _next;
            var buffer = NextBuffer();
            int count = Math.Min(bytes.Length - accepted, LooseBuffer.Size);
            bytes.Slice(accepted, count).CopyTo(buffer.Memory.Span);
            buffer.SetLength(count);
            accepted += count;
            if (Volatile.Read(ref _relayed) > 0 || StackDepth.IsGreat) Relay(place);
            else port.Send(buffer);
        }

        return accepted;
    }

    /// <inheritdoc cref="Link.ShutdownSend"/>
    public void Shutdown()
    {
        if ((Interlocked.Or(ref _state, ShutdownOwed) & CountMask) == 0) ShutdownNow();
    }

    /// <summary>BeetleX has sent the oldest buffer and is done with it. Perhaps on a thread that is inside <see cref="Send"/>.</summary>
    public void OnSent()
    {
        int state = Volatile.Read(ref _state);
        while (true)
        {
            int seen = Interlocked.CompareExchange(ref _state, (state & ~WritableOwed) - 1, state);
            if (seen == state) break;
            state = seen;
        }

        if ((state & CountMask) == 1 && (state & ShutdownOwed) != 0) ShutdownNow();
        if ((state & WritableOwed) != 0) link.QueueWritable();
    }

    /// <summary>Gives BeetleX what waits, on another thread than the one that had used too much of its stack.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        int place = _relayFrom;
        do
        {
            port.Send(_ring[place]!);
            place = (place + 1) % Buffers;
        }
        while (Interlocked.Decrement(ref _relayed) > 0);
    }

    private void Relay(int place)
    {
        if (Interlocked.Increment(ref _relayed) > 1) return; // the work item comes to it
        _relayFrom = place;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Takes a place in the ring. When there is none, makes the next completion call <see cref="ILinkHandler.OnWritable"/>.</summary>
    private bool TryTake()
    {
        int state = Volatile.Read(ref _state);
        while (true)
        {
            bool isFull = (state & CountMask) == Buffers;
            int seen = Interlocked.CompareExchange(ref _state, isFull ? state | WritableOwed : state + 1, state);
            if (seen == state) return !isFull;
            state = seen;
        }
    }

    private PinnedBuffer NextBuffer()
    {
        var buffer = _ring[_next] ??= LooseBuffer.Create();
        _next = (_next + 1) % Buffers;
        buffer.Reset();
        return buffer;
    }

    private void ShutdownNow()
    {
        try
        {
            port.Socket?.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // Broken: the receive under way finds out.
        }
        catch (ObjectDisposedException)
        {
            // Closed.
        }
    }
}
