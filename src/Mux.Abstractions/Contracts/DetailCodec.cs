using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>The details of failures that a contract declares with <see cref="MuxErrorAttribute{TDetail}"/>. Safe for concurrent use.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class DetailCodec
{
    /// <summary>Writes the detail of a failure.</summary>
    /// <returns>The number that the contract gives to details of this type, 1 to 65,535; 0, and nothing is written, if it declares none.</returns>
    public abstract int Encode(ref MessageWriter writer, object detail);

    /// <summary>Reads the detail of a failure.</summary>
    /// <returns>Null if the contract declares no detail of this number: the two sides were built against different contracts.</returns>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    public abstract object? Decode(int number, ReadOnlySpan<byte> body);

    /// <inheritdoc cref="MessageCodec{T}.Prepare"/>
    public virtual void Prepare()
    {
    }
}
