using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Threading.Channels;

namespace Mux.Callbacks;

/// <summary>
/// The messages of one call that wait to be sent, in the order in which their callbacks were made: they are written under the lock of the session. A full one
/// makes a writer wait behind the others. Read by the call.
/// </summary>
internal sealed class CallbackOutbox(Lock gate)
{
    private readonly Channel<CallbackMessage> _messages = Channel.CreateBounded<CallbackMessage>(
        new BoundedChannelOptions(CallbackLimits.MaxUnanswered) { SingleReader = true });

    /// <summary>Waits until there are messages.</summary>
    /// <returns>False if there will be none.</returns>
    public ValueTask<bool> WaitAsync() => _messages.Reader.WaitToReadAsync(CancellationToken.None);

    public bool TryTake([NotNullWhen(true)] out CallbackMessage? message) => _messages.Reader.TryRead(out message);

    /// <summary>
    /// Queues a message behind those that wait for room, and does not wait. The end of the session fails a callback also if its message still waits.
    /// </summary>
    public void PostLocked(CallbackMessage message)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
#pragma warning disable CA2012 // only the message itself waits for room
        _ = WriteLocked(message, CancellationToken.None);
#pragma warning restore CA2012
    }

    /// <summary>Queues a message.</summary>
    /// <returns>Completes when there is room for it; fails with <see cref="ChannelClosedException"/> if <see cref="Complete"/> comes first.</returns>
    public ValueTask WriteLocked(CallbackMessage message, CancellationToken cancellationToken)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        return _messages.Writer.WriteAsync(message, cancellationToken); // continuations run elsewhere
    }

    /// <summary>No further messages come. May be called repeatedly, without the lock.</summary>
    public void Complete() => _messages.Writer.TryComplete();
}
