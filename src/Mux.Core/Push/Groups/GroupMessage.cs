using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>
/// An encoded call that waits for members: one object for all of them, in whose queues it is. Does not change until the last of them lets it go. Safe for
/// concurrent use.
/// </summary>
internal sealed class GroupMessage
{
    private byte[]? _body;
    private BulkMessage? _bulk;
    private int _holders;

    public GroupMethod Method { get; private set; } = null!;

    /// <summary>What the call has in addition to its request; null if nothing.</summary>
    public CallExtras? Extras { get; private set; }

    /// <summary>Length of the request.</summary>
    public int Length { get; private set; }

    /// <summary>The request, if it is not <see cref="Bulk"/>.</summary>
    public ReadOnlySpan<byte> Body => _bulk is null ? _body.AsSpan(0, Length) : [];

    /// <summary>The request, if it is large. The message holds its memory.</summary>
    public BulkMessage? Bulk => _bulk;

    /// <summary>Keeps a call, for the caller at first.</summary>
    public static GroupMessage Keep(GroupMethod method, CallExtras? extras, ReadOnlySpan<byte> body, BulkMessage? bulk)
    {
        var message = ObjectPool<GroupMessage>.Shared.TryRent() ?? new GroupMessage();
        (message.Method, message.Extras, message.Length, message._holders) = (method, extras, bulk?.Length ?? body.Length, 1);
        if (bulk is not null)
        {
            message._bulk = bulk.Share();
        }
        else
        {
            message._body = BufferPool.Rent(body.Length);
            body.CopyTo(message._body);
        }

        return message;
    }

    /// <summary>One more has it.</summary>
    public void Hold() => Interlocked.Increment(ref _holders);

    /// <summary>One has it no longer. The last one returns its memory.</summary>
    public void LetGo()
    {
        if (Interlocked.Decrement(ref _holders) > 0) return;
        if (_body is { } body) BufferPool.Return(body);
        _bulk?.LetGo();
        (_body, _bulk, Extras) = (null, null, null);
        ObjectPool<GroupMessage>.Shared.Return(this);
    }
}
