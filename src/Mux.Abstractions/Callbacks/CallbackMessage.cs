using System.ComponentModel;

namespace Mux.Callbacks;

/// <summary>A message from the side that serves a method with callbacks: a callback, the end of one, or the result. Immutable.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CallbackMessage
{
    /// <summary>Gets the number of the callback, greater than those before; 0 for a callback that is not answered, and for the result.</summary>
    public ulong Id { get; init; }

    /// <summary>Gets the place of the object among the callback parameters of the method, from 0.</summary>
    public uint Parameter { get; init; }

    /// <summary>Gets the wire name of the method to call.</summary>
    public string Method { get; init; } = string.Empty;

    /// <summary>Gets a value indicating whether the callback with this <see cref="Id"/> is cancelled.</summary>
    public bool IsCancel { get; init; }

    /// <summary>Gets a value indicating whether <see cref="Body"/> is the result of the method, which ends its callbacks.</summary>
    public bool IsResult { get; init; }

    /// <summary>Gets the encoded arguments, or the encoded result.</summary>
    public ReadOnlyMemory<byte> Body { get; init; }
}
