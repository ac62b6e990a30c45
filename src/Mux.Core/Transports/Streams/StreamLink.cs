namespace Mux.Transports.Streams;

/// <summary>
/// One connection over streams or pipes: its life from <see cref="Start"/> to <see cref="ILinkHandler.OnClosed"/>. Bytes are moved by its
/// <see cref="StreamReceiver"/> and its <see cref="StreamSender"/>.
/// </summary>
/// <remarks>
/// <para>Life: idle -> (dialing) -> running -> over, and then reported once all parties have left. A party is the loop (dialing, then receiving) from
/// <see cref="Start"/> on, and each write under way. The end makes those leave that only wait for a stream, which may never answer; the last to leave has
/// <see cref="ILinkHandler.OnClosed"/> called.</para>
/// <para>One end leaves the streams open until the parties have left: the peer's stream is over, but what was accepted before <see cref="ShutdownSend"/> is
/// still on its way out.</para>
/// </remarks>
#pragma warning disable CA1001 // A link ends itself: Report disposes what it owns.
internal sealed class StreamLink : Link, IThreadPoolWorkItem
#pragma warning restore CA1001
{
    private static readonly LinkEnd s_closed = new(LinkCloseCause.Closed, null);

    private readonly StreamDialer? _dialer; // null for an accepted link
    private StreamConnection? _connection;
    private ILinkHandler? _handler;
    private StreamReceiver? _receiver;
    private StreamSender? _sender;
    private PartyCount _parties;

    // Set once, by whoever finds the end first.
    private LinkEnd? _end;

    // 1 once somebody has taken the connection's directions: the loop to run them, or the end of a link that does not run to give them back.
    private int _isTaken;

    /// <summary>A link that connects when started.</summary>
    public StreamLink(StreamDialer dialer) => _dialer = dialer;

    /// <summary>A link over an accepted connection, which is the link's from now on.</summary>
    public StreamLink(StreamConnection connection) => _connection = connection;

    public override string RemoteAddress => Volatile.Read(ref _connection)?.RemoteAddress ?? string.Empty;

    public override PeerIdentity? Identity => Volatile.Read(ref _connection)?.Identity;

    public override ReadOnlyMemory<byte> ChannelBinding => Volatile.Read(ref _connection)?.ChannelBinding ?? default;

    public override bool DropsOutput => IsOver || _sender is { Failure: not null };

    /// <inheritdoc/>
    public override bool HasUndeliveredInput => !IsOver && _receiver is { HasUndeliveredInput: true };

    /// <summary>Whether the end is decided. Nothing is received or sent from then on.</summary>
    public bool IsOver => Volatile.Read(ref _end) is not null;

    /// <summary>Whether a byte has come. The receiver's.</summary>
    public bool HasReceived { get; set; }

    /// <summary>Whether a write has failed.</summary>
    public bool HasSendFailed => _sender!.Failure is not null;

    public override bool CanHandOver => Volatile.Read(ref _connection)?.Driver is not { CanHandOver: false };

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        _parties.Open();

        // A work item of its own: the handler is not called from here, and the caller's ExecutionContext does not follow the link.
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    public override int Send(ReadOnlySpan<byte> bytes) => _sender is { } sender ? sender.Send(bytes) : bytes.Length;

    public override void ShutdownSend() => _sender?.Shutdown();

    public override void HandOver(int consumed)
    {
        var driver = _connection!.Driver;
        driver?.LosePlace();
        if (_receiver!.HandOver(consumed)) driver?.TakePlace();
    }

    public override void Close()
    {
        Decide(s_closed);
        _dialer?.Cancel();
        GiveUp(); // also when another end came first and the last bytes still keep the streams open
    }

    /// <summary>The loop's work item: dials first where there is no connection yet, then connects the handler and receives.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        if (IsOver) Leave();
        else if (Volatile.Read(ref _connection) is { } connection) Run(connection);
        else _ = DialAsync(_dialer!);
    }

    /// <summary>Lets a party in that is about to wait for a write. False when the link is over and reported, or about to be.</summary>
    public bool TryEnter() => _parties.TryEnter();

    /// <summary>A party leaves. The loop does so only after the end is decided.</summary>
    public void Leave()
    {
        // A work item of its own: the last to leave may be a thread inside Send, where the handler must not be called.
        if (_parties.Leave()) ThreadPool.UnsafeQueueUserWorkItem(static link => link.Report(), this, preferLocal: false);
    }

    /// <summary>A read failed.</summary>
    public void EndReceiving(Exception error)
    {
        if (!IsOver) End(StreamFailure.CauseOf(error), EarlyEnd(error) ?? StreamFailure.ToException(RemoteAddress, error));
    }

    /// <summary>A write failed, and no read will tell.</summary>
    public void EndSending() => EndReceiving(_sender!.Failure!);

    /// <summary>A write failed. What the peer sent before is still received, if it has broken the connection.</summary>
    public void OnSendFailed()
    {
        if (StreamFailure.CauseOf(_sender!.Failure!) is LinkCloseCause.Reset) _receiver!.OnSendFailed();
        else EndSending();
    }

    /// <summary>The link is over for a reason found here.</summary>
    public void End(LinkCloseCause cause, Exception error)
    {
        Decide(new LinkEnd(cause, error));
        GiveUp();
    }

    /// <summary>Nothing more can be received.</summary>
    public void EndOfStream()
    {
        if (_sender!.Failure is { } failure && !StreamFailure.IsPeersEnd(failure))
        {
            EndReceiving(failure);
            return;
        }

        Decide(EarlyEnd(null) is { } early ? new LinkEnd(LinkCloseCause.Reset, early) : new LinkEnd(LinkCloseCause.EndOfStream, null));
        if (!_sender.IsFlushing) GiveUp();
    }

    /// <summary>
    /// What is told in place of an end that says nothing: the peer has sent no byte, and the code that made the connection knows why it may have ended it.
    /// </summary>
    private IOException? EarlyEnd(Exception? error) =>
        !HasReceived && Volatile.Read(ref _connection)?.EarlyEnd is { } reason ? new IOException(reason, error) : null;

    private void Decide(LinkEnd end) => Interlocked.CompareExchange(ref _end, end, null);

    private async Task DialAsync(StreamDialer dialer)
    {
        try
        {
            var connection = await dialer.ConnectAsync().ConfigureAwait(false);

            // Published before asking whether the link is over; Close does it the other way round, so one of the two gives the connection up.
            Interlocked.Exchange(ref _connection, connection);
            if (IsOver) GiveUp();
        }
        catch (Exception e) // after Close this is a cancellation, and the end is decided already
        {
            Decide(new LinkEnd(LinkCloseCause.ConnectFailed, e));
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private void Run(StreamConnection connection)
    {
        if (Interlocked.Exchange(ref _isTaken, 1) == 1)
        {
            Leave(); // over meanwhile
            return;
        }

        var sender = new StreamSender(this, connection.Output, _handler!);
        var receiver = new StreamReceiver(this, connection.Input, _handler!);
        Volatile.Write(ref _sender, sender);
        Interlocked.Exchange(ref _receiver, receiver);
        _handler!.OnConnected();
        receiver.Start();
    }

    /// <summary>Lets go of the streams: what is pending ends, or is not waited for.</summary>
    private void GiveUp()
    {
        if (Volatile.Read(ref _connection) is not { } connection) return;
        connection.DisposeStreams();
        if (Interlocked.Exchange(ref _isTaken, 1) == 0)
        {
            using var scope = StreamScope.Enter();
            connection.Input.Release();
            connection.Output.Release();
            return;
        }

        Volatile.Read(ref _receiver)?.Abandon();
        Volatile.Read(ref _sender)?.Abandon();
    }

    private void Report()
    {
        GiveUp();
        _handler!.OnClosed(_end!.Cause, _end.Error);
    }

    private sealed record LinkEnd(LinkCloseCause Cause, Exception? Error);
}
