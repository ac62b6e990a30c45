using System.ComponentModel;

namespace Mux.Callbacks;

/// <summary>The answer to a callback. Immutable.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CallbackAnswer
{
    /// <summary>Gets the number of the callback.</summary>
    public ulong Id { get; init; }

    /// <summary>Gets the status; <see cref="MuxStatus.Ok"/> if <see cref="Body"/> is a result.</summary>
    public MuxStatus Status { get; init; }

    /// <summary>Gets the message of a failure.</summary>
    public string Text { get; init; } = string.Empty;

    /// <summary>Gets the encoded result.</summary>
    public ReadOnlyMemory<byte> Body { get; init; }
}
