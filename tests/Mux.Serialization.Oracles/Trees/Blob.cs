namespace Mux.Serialization.Oracles.Trees;

/// <summary>Bytes that are equal if they hold the same.</summary>
public sealed record Blob(string Hex)
{
    public static Blob Of(ReadOnlySpan<byte> bytes) => new(Convert.ToHexString(bytes));

    public byte[] ToArray() => Convert.FromHexString(Hex);
}
