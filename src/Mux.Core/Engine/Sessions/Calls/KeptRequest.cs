using System.Numerics;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// What is kept of a call that may be sent again: its request, and the attempts that failed. Belongs to the call, and is reused with it. One thread at a time:
/// the one that starts the call, or the one that has its outcome.
/// </summary>
internal sealed class KeptRequest
{
    /// <summary>Longest request that is copied into an array of the call itself: a copy of some nanoseconds, and nothing to return.</summary>
    public const int MaxInline = 1024;

    private const int MinInline = 64;

    private byte[] _inline = [];
    private byte[]? _rented;
    private BulkMessage? _bulk;
    private KeptBytes? _account; // what is charged to it is returned with the request
    private int _length;
    private List<MuxAttempt>? _attempts;

    /// <summary>Why the request is kept; nothing once the call has its outcome.</summary>
    public KeepFor Reasons { get; private set; }

    /// <summary>The attempts that failed and were followed by another one.</summary>
    public IReadOnlyList<MuxAttempt> Attempts => _attempts ?? (IReadOnlyList<MuxAttempt>)[];

    /// <summary>How often a server has refused the call.</summary>
    public int Refusals { get; set; }

    /// <summary>How often servers had no memory for the call.</summary>
    public int Pauses { get; set; }

    /// <summary>How often servers have refused the call for any reason, and it was sent again.</summary>
    public int RefusedTimes => Refusals + Pauses;

    /// <summary>When a server has refused the call for the first time; of use while one has.</summary>
    public long RefusedAt { get; set; }

    /// <summary>The last refusal after which the call was sent again; null if there was none.</summary>
    public CallFailure? Refusal { get; private set; }

    /// <summary>Address of the server of <see cref="Refusal"/>.</summary>
    public string? RefusedBy { get; private set; }

    /// <summary>The failure of the last attempt that was followed by another one; null if there was none.</summary>
    public CallFailure? Last { get; private set; }

    /// <summary>Why the call is not sent again after its last attempt.</summary>
    public RepeatStop Stop { get; set; }

    /// <summary>How often the call was sent again, with or without an attempt that counts.</summary>
    public int Repeats { get; private set; }

    /// <summary>The metadata that came with the reply or failure of the last attempt. The caller gets it with the outcome.</summary>
    public MuxMetadata? Metadata { get; set; }

    /// <summary>Address of the server that the next attempt avoids if there is another one; null if none.</summary>
    public string? Avoided { get; set; }

    /// <summary>The request, unless it takes more than one frame.</summary>
    public ReadOnlySpan<byte> Body => (_rented ?? _inline).AsSpan(0, _bulk is null ? _length : 0);

    /// <summary>Keeps a copy of the request of a call that is about to start.</summary>
    public void Keep(KeepFor reasons, ReadOnlySpan<byte> body, KeptBytes account)
    {
        if (body.Length <= MaxInline)
        {
            if (_inline.Length < body.Length) _inline = new byte[Math.Max(MinInline, (int)BitOperations.RoundUpToPowerOf2((uint)body.Length))];
            body.CopyTo(_inline);
        }
        else
        {
            if (!account.TryTake(body.Length)) return;
            _rented = BufferPool.Rent(body.Length);
            body.CopyTo(_rented);
            _account = account;
        }

        Begin(reasons, body.Length);
    }

    /// <summary>Keeps the request of a call that is about to start, in the array from which it is sent.</summary>
    public void Keep(KeepFor reasons, BulkMessage message, KeptBytes account)
    {
        if (!account.TryTake(message.Length)) return;
        _bulk = message.Hold();
        _account = account;
        Begin(reasons, message.Length);
    }

    /// <summary>Gets the large request for another attempt, in the same array; null if the request is <see cref="Body"/>.</summary>
    public BulkMessage? ShareBulk() => _bulk?.Share();

    /// <summary>Keeps the same request for a copy of the call. Without <see cref="Reasons"/> if the account is used up.</summary>
    public KeptRequest Copy(KeptBytes account)
    {
        var copy = new KeptRequest();
        if (_bulk is { } bulk) copy.Keep(Reasons, bulk, account);
        else copy.Keep(Reasons, Body, account);
        return copy;
    }

    /// <summary>The call is sent again after an attempt that failed.</summary>
    /// <param name="failure">The failure.</param>
    /// <param name="endpoint">Address of its server.</param>
    /// <param name="isRefused">True if the server has refused the call.</param>
    public void OnRepeat(CallFailure failure, string endpoint, bool isRefused)
    {
        Repeats++;
        (Avoided, Last) = (endpoint, failure);
        if (isRefused) (Refusal, RefusedBy) = (failure, endpoint);
    }

    /// <summary>Adds an attempt that failed.</summary>
    public void Add(MuxAttempt attempt) => (_attempts ??= []).Add(attempt);

    /// <summary>The call has its outcome: returns its memory.</summary>
    public void Release()
    {
        Reasons = KeepFor.Nothing;
        (Metadata, Last, Refusal) = (null, null, null);
        if (_attempts is not null) _attempts = null; // the failure may have the list
        if (_account is not { } account) return;
        account.Release(_length);
        _bulk?.LetGo();
        if (_rented is { } rented) BufferPool.Return(rented);
        (_account, _bulk, _rented) = (null, null, null);
    }

    private void Begin(KeepFor reasons, int length)
    {
        (Reasons, _length) = (reasons, length);
        Refusals = Pauses = Repeats = 0;
        (Avoided, Last, Refusal, Stop) = (null, null, null, RepeatStop.None);
    }
}

/// <summary>Why a call was not sent again that its policy would have sent again.</summary>
internal enum RepeatStop : byte
{
    None,

    /// <summary>Its deadline comes before the end of the pause.</summary>
    Deadline,

    /// <summary>The channel may send no more calls again.</summary>
    Budget,
}

/// <summary>The reasons for which the request of a call is kept until its outcome.</summary>
[Flags]
internal enum KeepFor : byte
{
    Nothing = 0,

    /// <summary>The policy of its method, or its route, may send it again.</summary>
    Repeats = 1,

    /// <summary>It waits until a server can be reached, however many attempts to connect fail.</summary>
    Ready = 2,

    /// <summary>It is large, and a server may have no memory for it: then it is sent again after a pause.</summary>
    Pauses = 4,
}

/// <summary>
/// Limits the bytes that one channel keeps of requests that it may send again, without those that are small enough for the array of their call. Safe for
/// concurrent use.
/// </summary>
/// <param name="limit">Bytes that may be kept. Calls beyond it are made as usual, and not repeated.</param>
internal sealed class KeptBytes(long limit)
{
    private long _used;

    /// <summary>Bytes kept now.</summary>
    public long Used => Volatile.Read(ref _used);

    public bool TryTake(int bytes)
    {
        if (Interlocked.Add(ref _used, bytes) <= limit) return true;
        Release(bytes);
        return false;
    }

    public void Release(int bytes) => Interlocked.Add(ref _used, -bytes);
}
