using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>
/// A handler that checks that a pattern arrives once and in order, and runs user code behind bytes of a test's choice, where its place may be taken as Mux would take it: all that
/// a successor needs is stored before the user code begins.
/// </summary>
public sealed class HandOverProbe(string name, Pattern pattern) : ILinkHandler
{
    private readonly Lock _gate = new();
    private readonly List<string> _violations = [];
    private Link? _link;
    private string? _inside;
    private long _position;
    private bool _isBatchEndOwed;
    private bool _isClosed;

    public Link Link => _link ?? throw new InvalidOperationException($"{name} was not started.");

    /// <summary>Whether user code runs behind so many bytes.</summary>
    public Predicate<long> RunsUserCodeBehind { get; init; } = _ => false;

    /// <summary>The user code.</summary>
    public Action<StuckPlace> UserCode { get; init; } = place => place.Block();

    public Counter Consumed { get; } = new($"bytes consumed by {name}");

    public Counter Batches { get; } = new($"batches of {name}");

    public Signal Closed { get; } = new($"{name} is closed");

    public LinkCloseCause Cause { get; private set; }

    public void Start(Link link)
    {
        _link = link;
        link.Start(this);
    }

    public void OnConnected()
    {
    }

    public int OnReceived(ReadOnlySpan<byte> bytes)
    {
        Enter(nameof(OnReceived));
        if (_isClosed) Violate("OnReceived after OnClosed");
        if (pattern.FirstDifference(bytes, _position) is >= 0 and var at) Violate($"byte {at} is wrong");
        _isBatchEndOwed = true;
        int done = 0;
        for (int i = 1; i <= bytes.Length; i++)
        {
            if (!RunsUserCodeBehind(_position + i - done)) continue;
            Advance(i - done);
            done = i;
            var place = new StuckPlace(this, i);
            UserCode(place);
            if (!place.TryReturn()) return Link.HandedOver;
        }

        Advance(bytes.Length - done);
        Leave();
        return bytes.Length;
    }

    public void OnBatchEnd()
    {
        Enter(nameof(OnBatchEnd));
        if (!_isBatchEndOwed) Violate("OnBatchEnd without OnReceived");
        _isBatchEndOwed = false;
        Leave();
        Batches.Add();
    }

    public void OnWritable()
    {
    }

    public void OnClosed(LinkCloseCause cause, Exception? error)
    {
        Enter(nameof(OnClosed));
        if (_isClosed) Violate("OnClosed twice");
        if (_isBatchEndOwed) Violate("OnClosed before OnBatchEnd");
        _isClosed = true;
        Cause = cause;
        Leave();
        Closed.Set();
    }

    /// <summary>Fails the test if the transport broke a promise.</summary>
    public void AssertSound()
    {
        lock (_gate) Assert.True(_violations.Count == 0, $"{name}: {string.Join("; ", _violations)}");
    }

    /// <summary>The thread in <see cref="OnReceived"/> is to leave; what comes now is its successor's.</summary>
    internal void GivePlace() => Leave();

    private void Advance(int count)
    {
        _position += count;
        Consumed.Add(count);
    }

    private void Enter(string callback)
    {
        if (Interlocked.Exchange(ref _inside, callback) is { } other) Violate($"{callback} during {other}");
    }

    private void Leave() => Interlocked.Exchange(ref _inside, null);

    private void Violate(string what)
    {
        lock (_gate) _violations.Add(what);
    }
}
