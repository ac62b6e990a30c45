using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>
/// Requests without arguments and replies without a result, where the contract names a serializer: no bytes. What a newer peer sends is ignored unread.
/// </summary>
/// <param name="name">Name of the message in errors.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class EmptyCodec(string name) : MessageCodec<MuxUnit>(name)
{
    /// <inheritdoc/>
    public override void Encode(ref MessageWriter writer, MuxUnit message)
    {
    }

    /// <inheritdoc/>
    public override MuxUnit Decode(ReadOnlySpan<byte> body) => default;
}
