using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>Replies of methods that return a <see cref="MuxResult{T}"/>. Only values are messages; the runtime sends failures.</summary>
/// <param name="values">Writes and reads the values.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ResultCodec<T>(MessageCodec<T> values) : MessageCodec<MuxResult<T>>(values.Name)
{
    /// <inheritdoc/>
    public override bool HoldsFailures => true;

    /// <inheritdoc/>
    public override void Encode(ref MessageWriter writer, MuxResult<T> message) => values.Encode(ref writer, message.Value);

    /// <inheritdoc/>
    public override MuxResult<T> Decode(ReadOnlySpan<byte> body) => new(values.Decode(body));

    /// <inheritdoc/>
    public override void Prepare() => values.Prepare();

    /// <inheritdoc/>
    public override MuxResult<T> FromFailure(MuxFailure failure) => new(failure);

    /// <inheritdoc/>
    public override MuxFailure? FailureOf(MuxResult<T> message) => message.Failure;
}
