using System.Net.Sockets;
using PinnedBuffer = BeetleX.Buffers.Buffer;

namespace Mux.Transports.BeetleX;

/// <summary>
/// The sending side of one link: copies bytes into buffers and passes those to BeetleX. BeetleX would accept any number of them; here there are four, so that a
/// peer that does not read stops its sender.
/// </summary>
internal sealed class SendQueue(BeetleXLink link, IPort port) : IThreadPoolWorkItem
{
    // One buffer is being sent, one waits so that the next send begins at once, and a sender that finds the queue full can continue when half of it is empty.
    private const int Buffers = 4;

    // _state: the number of buffers that BeetleX holds, and these bits.
    private const int CountMask = 0xff;
    private const int WritableOwed = 0x100;
    private const int ShutdownOwed = 0x200;

    // A ring: BeetleX sends and completes buffers in order, so a free one is the oldest.
    private readonly PinnedBuffer?[] _ring = new PinnedBuffer?[Buffers];
    private int _next;

    // Buffers that wait for the work item to pass them to BeetleX, and their start in the ring.
    private int _relayed;
    private int _relayFrom;

    // Shared between Send and Shutdown (any thread, one at a time) and the completions of BeetleX.
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

    /// <summary>BeetleX has sent the oldest buffer and no longer uses it. May be called on a thread that is inside <see cref="Send"/>.</summary>
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

    /// <summary>Passes waiting buffers to BeetleX, on another thread than the one that had used too much of its stack.</summary>
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
        if (Interlocked.Increment(ref _relayed) > 1) return; // the work item will pass it too
        _relayFrom = place;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Reserves a place in the ring. If there is none, the next completion calls <see cref="ILinkHandler.OnWritable"/>.</summary>
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
            // broken: the receive in progress reports it
        }
        catch (ObjectDisposedException)
        {
            // closed
        }
    }
}
