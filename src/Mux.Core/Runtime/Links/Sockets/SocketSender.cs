using System.Net.Sockets;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// The sending side of one link. Hands bytes to the kernel on the caller's thread. When the kernel accepts no more, sends a copy of the next bytes
/// asynchronously; until that copy is sent, the sender accepts nothing else.
/// </summary>
internal sealed class SocketSender : SocketAsyncEventArgs
{
    // Large enough that the wake-up for the next copy (tens of microseconds) is a small part of its send time, small enough to hold one for every slow peer.
    private const int LargestCopy = 65_536;

    // Bits of _state.
    private const int CopyUnderWay = 1;
    private const int WritableOwed = 2;
    private const int ShutdownOwed = 4;

    private readonly SocketLink _link;
    private readonly Socket _socket;
    private readonly ILinkHandler _handler;

    // State shared by Send and Shutdown (any thread, one at a time) and the completion of a copy.
    private int _state;

    // Rented while a copy is in progress; owned by the operation until it completes.
    private byte[]? _copy;

    // The first error, kept for the receive loop. All later bytes are accepted and dropped.
    private volatile SocketError _failure;

    public SocketSender(SocketLink link, Socket socket, ILinkHandler handler)
        : base(unsafeSuppressExecutionContextFlow: true)
    {
        _link = link;
        _socket = socket;
        _handler = handler;
    }

    /// <summary><see cref="SocketError.Success"/> until a send fails.</summary>
    public SocketError Failure => _failure;

    /// <summary>True if <see cref="Shutdown"/> waits for a copy to be sent.</summary>
    public bool IsFlushing => (Volatile.Read(ref _state) & (CopyUnderWay | ShutdownOwed)) == (CopyUnderWay | ShutdownOwed);

    /// <inheritdoc cref="Link.Send"/>
    public int Send(ReadOnlySpan<byte> bytes)
    {
        int accepted = 0;
        while (accepted < bytes.Length)
        {
            if (_failure is not SocketError.Success || _link.IsOver) return bytes.Length;
            if (MustWaitForCopy()) break;

            var error = SendNow(bytes[accepted..], out int sent);
            accepted += sent;
            if (error is not (SocketError.Success or SocketError.WouldBlock)) Fail(error);
            else if (accepted < bytes.Length) accepted += SendCopy(bytes[accepted..]);
        }

        return accepted;
    }

    /// <inheritdoc cref="Link.ShutdownSend"/>
    public void Shutdown()
    {
        int before = Interlocked.Or(ref _state, ShutdownOwed);
        if ((before & CopyUnderWay) == 0) ShutdownNow();
    }

    protected override void OnCompleted(SocketAsyncEventArgs e)
    {
        EngineThread.AbsorbInterrupt();
        int owed = EndCopy(SocketError);
        if ((owed & ShutdownOwed) != 0) ShutdownNow();
        if ((owed & WritableOwed) != 0 && !_link.IsOver) _handler.OnWritable();
        _link.Leave();
    }

    /// <summary>If a copy is in progress, makes its completion call <see cref="ILinkHandler.OnWritable"/>.</summary>
    private bool MustWaitForCopy()
    {
        int state = Volatile.Read(ref _state);
        while ((state & CopyUnderWay) != 0)
        {
            int seen = Interlocked.CompareExchange(ref _state, state | WritableOwed, state);
            if (seen == state) return true;
            state = seen;
        }

        return false;
    }

    private SocketError SendNow(ReadOnlySpan<byte> bytes, out int sent)
    {
        try
        {
            sent = _socket.Send(bytes, SocketFlags.None, out var error);
            return error;
        }
        catch (ObjectDisposedException)
        {
            sent = 0;
            return SocketError.OperationAborted;
        }
    }

    /// <returns>Number of bytes copied. The operation may already have completed.</returns>
    private int SendCopy(ReadOnlySpan<byte> rest)
    {
        if (!_link.TryEnter()) return rest.Length;
        int count = Math.Min(rest.Length, LargestCopy);
        _copy = BufferPool.Rent(count);
        rest[..count].CopyTo(_copy);
        SetBuffer(_copy, 0, count);
        Volatile.Write(ref _state, count < rest.Length ? CopyUnderWay | WritableOwed : CopyUnderWay);

        SocketError error;
        try
        {
            if (_socket.SendAsync(this)) return count;
            error = SocketError;
        }
        catch (ObjectDisposedException)
        {
            error = SocketError.OperationAborted;
        }

        // Sent at once: the caller continues, so OnWritable is not needed.
        EndCopy(error);
        _link.Leave();
        return count;
    }

    /// <returns>What is owed after the copy was sent. From here on, another thread may start the next copy.</returns>
    private int EndCopy(SocketError error)
    {
        if (error is not SocketError.Success) Fail(error);
        SetBuffer(null, 0, 0);
        BufferPool.Return(_copy!);
        _copy = null;
        return Interlocked.Exchange(ref _state, 0);
    }

    private void Fail(SocketError error)
    {
        _failure = error;

        // A broken connection wakes the receive loop, which first delivers what the peer sent before. Any other error must end the link here, or the loop would
        // keep waiting.
        if (SocketFailure.CauseOf(error) is not LinkCloseCause.Reset) _link.End(error);
    }

    private void ShutdownNow()
    {
        try
        {
            _socket.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // Broken: the receive loop will find out.
        }
        catch (ObjectDisposedException)
        {
            // Closed.
        }
    }
}
