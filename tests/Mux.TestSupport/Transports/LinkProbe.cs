using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>
/// A handler that does what a test says, records what happened, and checks every promise a transport makes about its callbacks.
/// Consumes everything unless told otherwise.
/// </summary>
public sealed class LinkProbe(string name) : ILinkHandler
{
    // The probe whose link this thread is calling: no callback may happen meanwhile on the same thread.
    [ThreadStatic]
    private static LinkProbe? t_calling;

    private readonly Lock _gate = new();
    private readonly List<string> _violations = [];
    private Link? _link;
    private string? _inside;
    private byte[] _tail = [];
    private int _batchThread;
    private bool _isConnected;
    private bool _isClosed;
    private volatile bool _mayBeJoined;

    public Link Link => _link ?? throw new InvalidOperationException($"{name} was not started.");

    public bool IsStarted => _link is not null;

    public Action? WhenConnected { get; set; }

    public ConsumeBytes? WhenReceived { get; set; }

    public Action? WhenBatchEnds { get; set; }

    public Action? WhenWritable { get; set; }

    public Action? WhenClosed { get; set; }

    public Signal Connected { get; } = new($"{name} is connected");

    public Signal Closed { get; } = new($"{name} is closed");

    public Counter Consumed { get; } = new($"bytes consumed by {name}");

    public Counter Batches { get; } = new($"batches of {name}");

    public Counter Writable { get; } = new($"OnWritable calls of {name}");

    /// <summary>Of the last <see cref="OnClosed"/>.</summary>
    public LinkCloseCause Cause { get; private set; }

    /// <summary>Of the last <see cref="OnClosed"/>.</summary>
    public Exception? Error { get; private set; }

    /// <summary>Makes this the handler of a link, and starts it.</summary>
    public void Start(Link link)
    {
        _link = link;
        Calling(() => link.Start(this));
    }

    public int Send(ReadOnlySpan<byte> bytes)
    {
        var outer = t_calling;
        t_calling = this;
        try
        {
            return Link.Send(bytes);
        }
        finally
        {
            t_calling = outer;
        }
    }

    public int SendPieces(ReadOnlyMemory<byte>[] pieces)
    {
        var outer = t_calling;
        t_calling = this;
        try
        {
            return Link.SendPieces(pieces);
        }
        finally
        {
            t_calling = outer;
        }
    }

    public bool TryJoinBatch()
    {
        _mayBeJoined = true;
        bool hasJoined = false;
        Calling(() => hasJoined = Link.TryJoinBatch());
        return hasJoined;
    }

    public void ShutdownSend() => Calling(Link.ShutdownSend);

    public void Close() => Calling(Link.Close);

    /// <summary>Fails the test if the transport broke a promise.</summary>
    public void AssertSound()
    {
        lock (_gate) Assert.True(_violations.Count == 0, $"{name}: {string.Join("; ", _violations)}");
    }

    public void OnConnected()
    {
        Enter(nameof(OnConnected));
        if (_isConnected || _isClosed) Violate("OnConnected came late or twice");
        _isConnected = true;
        Guard(WhenConnected);
        Leave();
        Connected.Set();
    }

    public int OnReceived(ReadOnlySpan<byte> bytes)
    {
        Enter(nameof(OnReceived));
        if (!_isConnected || _isClosed) Violate("OnReceived outside of the link's life");
        if (bytes.Length <= _tail.Length) Violate("OnReceived without a new byte");
        else if (!bytes.StartsWith(_tail)) Violate("the unconsumed tail did not come again");
        if (_batchThread != 0 && _batchThread != Environment.CurrentManagedThreadId) Violate("a batch went on on another thread");
        _batchThread = Environment.CurrentManagedThreadId;

        int consumed = Consume(bytes);
        _tail = consumed >= bytes.Length ? [] : bytes[consumed..].ToArray();
        Leave();
        Consumed.Add(consumed);
        return consumed;
    }

    public void OnBatchEnd()
    {
        Enter(nameof(OnBatchEnd));
        if (_isClosed) Violate("OnBatchEnd after OnClosed");
        if (_batchThread == 0 && !_mayBeJoined) Violate("OnBatchEnd without OnReceived");
        else if (_batchThread != 0 && _batchThread != Environment.CurrentManagedThreadId) Violate("OnBatchEnd on another thread than OnReceived");
        _batchThread = 0;
        Guard(WhenBatchEnds);
        Leave();
        Batches.Add();
    }

    public void OnWritable()
    {
        if (t_calling is not null) Violate("OnWritable inside a call of a link");
        if (_isClosed) Violate("OnWritable after OnClosed");
        Guard(WhenWritable);
        Writable.Add();
    }

    public void OnClosed(LinkCloseCause cause, Exception? error)
    {
        Enter(nameof(OnClosed));
        if (_isClosed) Violate("OnClosed twice");
        if (_batchThread != 0) Violate("OnClosed before OnBatchEnd");
        if (_isConnected && cause is LinkCloseCause.ConnectFailed) Violate("ConnectFailed of a link that was connected");
        if (!_isConnected && cause is not (LinkCloseCause.ConnectFailed or LinkCloseCause.Closed)) Violate($"{cause} of a link that was never connected");
        _isClosed = true;
        Cause = cause;
        Error = error;
        Guard(WhenClosed);
        Leave();
        Closed.Set();
    }

    private void Calling(Action member)
    {
        var outer = t_calling;
        t_calling = this;
        try
        {
            member();
        }
        finally
        {
            t_calling = outer;
        }
    }

    // What a test's code throws is the test's failure, not the transport's to cope with.
    private void Guard(Action? action)
    {
        try
        {
            action?.Invoke();
        }
        catch (Exception e)
        {
            Violate(e.Message);
        }
    }

    private int Consume(ReadOnlySpan<byte> bytes)
    {
        try
        {
            return WhenReceived?.Invoke(bytes) ?? bytes.Length;
        }
        catch (Exception e)
        {
            Violate(e.Message);
            return bytes.Length;
        }
    }

    private void Enter(string callback)
    {
        if (t_calling is not null) Violate($"{callback} inside a call of a link");
        if (Interlocked.Exchange(ref _inside, callback) is { } other) Violate($"{callback} during {other}");
    }

    private void Leave() => Interlocked.Exchange(ref _inside, null);

    private void Violate(string what)
    {
        lock (_gate) _violations.Add(what);
    }
}
