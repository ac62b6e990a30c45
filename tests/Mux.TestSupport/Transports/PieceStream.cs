namespace Mux.TestSupport.Transports;

/// <summary>Gives at most so many bytes at once.</summary>
public sealed class PieceStream(byte[] content, int piece) : MemoryStream(content)
{
    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        base.ReadAsync(buffer[..Math.Min(buffer.Length, piece)], cancellationToken);
}
