using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// The sending side of one link: writes on the caller's thread as long as writes complete at once. While a write is pending, the sender accepts nothing else.
/// </summary>
internal sealed class StreamSender : IThreadPoolWorkItem
{
    // Bits of _state. The thread that has set InSend owns the output until a write is pending; then the thread that completes that write owns it.
    private const int InSend = 1;
    private const int UnderWay = 2;
    private const int WritableOwed = 4;
    private const int ShutdownOwed = 8;
    private const int Over = 16;
    private const int Owned = InSend | UnderWay;

    private readonly StreamLink _link;
    private readonly ByteOutput _output;
    private readonly ILinkHandler _handler;
    private readonly Action _continue;
    private int _state;

    // The first error, kept for the receive loop. All later bytes are accepted and dropped.
    private volatile Exception? _failure;

    public StreamSender(StreamLink link, ByteOutput output, ILinkHandler handler)
    {
        _link = link;
        _output = output;
        _handler = handler;
        _continue = OnCompleted;
    }

    /// <summary>The first failure of a write, or null.</summary>
    public Exception? Failure => _failure;

    /// <summary>True if <see cref="Shutdown"/> waits for a write.</summary>
    public bool IsFlushing => (Volatile.Read(ref _state) & (UnderWay | ShutdownOwed)) == (UnderWay | ShutdownOwed);

    /// <inheritdoc cref="Link.Send"/>
    public int Send(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty) return 0;
        if (!TryEnter(out bool isOver)) return isOver ? bytes.Length : 0;
        int accepted = 0;
        while (accepted < bytes.Length)
        {
            if (_failure is not null || _link.IsOver)
            {
                accepted = bytes.Length;
            }
            else
            {
                bool isWritten = TryWrite(bytes[accepted..], out int count);
                accepted += count;
                if (isWritten) continue;
                BeginWait(accepted < bytes.Length);
                return accepted;
            }
        }

        Exit();
        return accepted;
    }

    /// <inheritdoc cref="Link.ShutdownSend"/>
    public void Shutdown()
    {
        int before = Interlocked.Or(ref _state, ShutdownOwed);
        if ((before & Owned) != 0 || !TryEnter(out _)) return;
        ShutdownNow();
        Exit();
    }

    /// <summary>
    /// Ends the sender because the link is over: a pending write leaves as a party, although it may complete at any time. Thread-safe; may be called
    /// repeatedly.
    /// </summary>
    public void Abandon()
    {
        int before = Interlocked.Or(ref _state, Over);
        if ((before & Over) != 0) return;
        if ((before & Owned) == 0)
        {
            Release();
            return;
        }

        using (StreamScope.Enter()) _output.Cancel();
        if ((before & UnderWay) != 0) _link.Leave();
    }

    void IThreadPoolWorkItem.Execute() => EndWait();

    /// <summary>
    /// Makes the caller the owner of the output. If a write is pending, makes its completion call <see cref="ILinkHandler.OnWritable"/> instead.
    /// </summary>
    private bool TryEnter(out bool isOver)
    {
        int state = Volatile.Read(ref _state);
        while (true)
        {
            isOver = (state & Over) != 0;
            if (isOver) return false;
            bool isBusy = (state & UnderWay) != 0;
            int seen = Interlocked.CompareExchange(ref _state, state | (isBusy ? WritableOwed : InSend), state);
            if (seen == state) return !isBusy;
            state = seen;
        }
    }

    private void Exit()
    {
        if ((Interlocked.And(ref _state, ~InSend) & Over) != 0) Release();
    }

    /// <returns>False if the write is pending.</returns>
    private bool TryWrite(ReadOnlySpan<byte> bytes, out int count)
    {
        count = bytes.Length;
        try
        {
            using var scope = StreamScope.Enter();
            count = _output.Begin(bytes);
            return _output.TryEnd();
        }
        catch (Exception e)
        {
            count = bytes.Length;
            Fail(e);
            return true;
        }
    }

    /// <summary>Passes the output to the completion of the write.</summary>
    private void BeginWait(bool owesWritable)
    {
        bool isParty = _link.TryEnter();
        int added = UnderWay | (owesWritable ? WritableOwed : 0) | (isParty ? 0 : Over);
        int state = Volatile.Read(ref _state);
        int seen;
        while ((seen = Interlocked.CompareExchange(ref _state, (state & ~InSend) | added, state)) != state) state = seen;
        if (isParty && (state & Over) != 0) _link.Leave(); // the end of the link found no pending write
        using var scope = StreamScope.Enter();
        _output.OnCompleted(_continue);
    }

    private void OnCompleted()
    {
        EngineThread.AbsorbInterrupt();
        if (StreamScope.MayRunHandler) EndWait();
        else EnginePool.Queue(this);
    }

    private void EndWait()
    {
        try
        {
            using var scope = StreamScope.Enter();
            if (!_output.TryEnd())
            {
                _output.OnCompleted(_continue);
                return;
            }
        }
        catch (Exception e)
        {
            Fail(e);
        }

        // Keep the output only for an owed shutdown: from here on, a Send or a later Shutdown may take it.
        int state = Volatile.Read(ref _state);
        int seen;
        while ((seen = Interlocked.CompareExchange(
            ref _state, (state & ~(UnderWay | WritableOwed)) | ((state & ShutdownOwed) != 0 ? InSend : 0), state)) != state)
        {
            state = seen;
        }

        bool isAbandoned = (state & Over) != 0; // and has left as a party
        if ((state & ShutdownOwed) != 0)
        {
            ShutdownNow();
            Exit();
        }
        else if (isAbandoned)
        {
            Release();
        }

        if (isAbandoned) return;
        if ((state & WritableOwed) != 0 && !_link.IsOver) _handler.OnWritable();
        _link.Leave();
    }

    private void Fail(Exception error)
    {
        _failure = error;
        _link.OnSendFailed();
    }

    private void ShutdownNow()
    {
        if (!_output.CanShutdown)
        {
            _link.Close();
            return;
        }

        try
        {
            using var scope = StreamScope.Enter();
            _output.Shutdown();
        }
        catch (Exception)
        {
            // Broken, and the receive loop will find out; or already closed.
        }
    }

    private void Release()
    {
        using var scope = StreamScope.Enter();
        _output.Release();
    }
}
